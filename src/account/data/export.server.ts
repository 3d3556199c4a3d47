import { createHmac } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { requestExport } from './export.contract.ts'
import { readMyData } from './export.rows.server.ts'

const START_SECONDS = 60

export function myDataRoutes({ secret }: { secret: string }): Route[] {
  const sign = (userId: string, expires: string) =>
    createHmac('sha256', secret).update(`export ${userId} ${expires}`).digest('base64url')
  return [
    handle(
      requestExport,
      { limits: [{ per: 'account', count: 6, seconds: 3600, isShared: true }] },
      async (_, { user }) => {
        const until = Date.now() + START_SECONDS * 1000
        const url = `/api/account/export?expires=${until}&signature=${sign(user.id, String(until))}`
        return { url, expiresAt: new Date(until).toISOString() }
      },
    ),

    handleRaw(
      'GET /api/account/export',
      {
        access: 'member',
        about: 'The ZIP itself, streamed.',
        limits: [{ per: 'account', count: 12, seconds: 3600, isShared: true }],
      },
      async ({ user, query, pool }): Promise<Answer> => {
        const expires = query.get('expires') ?? ''
        if (!isSameSecret(query.get('signature') ?? '', sign(user.id, expires))) throw new Failure(404, 'Not found')
        if (Number(expires) < Date.now())
          throw new Failure(410, 'This link has expired. Press Download in Settings again.', 'link_expired')
        const files = await readMyData(pool, user.id)
        return {
          status: 200,
          headers: {
            ...COMMON,
            'content-type': 'application/zip',
            'content-disposition': 'attachment; filename="my-data.zip"',
            'cache-control': PERSONAL,
            'referrer-policy': 'no-referrer',
          },
          body: packZip(files),
        }
      },
    ),
  ]
}

function packZip(files: Record<string, unknown>): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  zip.on('error', (error: Error) => out.destroy(error))
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(`${JSON.stringify(content, null, 2)}\n`), name)
  zip.end()
  return out
}
