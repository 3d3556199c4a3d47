import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { requestExport } from './export.contract.ts'
import { type BoughtFile, readMyData } from './export.rows.server.ts'

const START_SECONDS = 60

/** All data of an account as a ZIP. A call with proof of identity returns a link that is valid for a minute. */
export function myDataRoutes({ storage, secret }: { storage: Storage; secret: string }): Route[] {
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
      async ({ user, query, db, pool, signal }): Promise<Answer> => {
        const expires = query.get('expires') ?? ''
        if (!isSameSecret(query.get('signature') ?? '', sign(user!.id, expires))) throw new Failure(404, 'Not found')
        if (Number(expires) < Date.now())
          throw new Failure(410, 'This link has expired. Press Download in Settings again.', 'link_expired')
        const { files, bought } = await readMyData(db, pool, user!.id)
        return {
          status: 200,
          headers: {
            ...COMMON,
            'content-type': 'application/zip',
            'content-disposition': 'attachment; filename="my-data.zip"',
            'cache-control': PERSONAL,
            'referrer-policy': 'no-referrer',
          },
          body: packZip(storage, files, bought, signal),
        }
      },
    ),
  ]
}

/** Opens each file only when the ZIP reaches it, which saves memory. */
function packZip(
  storage: Storage,
  files: Record<string, unknown>,
  bought: BoughtFile[],
  signal: AbortSignal,
): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  zip.on('error', (error: Error) => out.destroy(error))
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(`${JSON.stringify(content, null, 2)}\n`), name)
  for (const { path, objectId } of bought) {
    // bought files are mostly compressed already
    zip.addReadStreamLazy(path, { compress: false }, (give) => {
      storage.open(objectId).then(
        ({ stream }) => {
          signal.addEventListener('abort', () => stream.destroy(), { once: true })
          stream.on('error', (error) => out.destroy(error))
          give(null, stream)
        },
        (error: unknown) => {
          log.error('could not add a file to an export', { error, object: objectId })
          // one missing file must not break the export
          give(null, Readable.from([Buffer.from('This file could not be read. Please ask support for it.\n')]))
        },
      )
    })
  }
  zip.end()
  return out
}
