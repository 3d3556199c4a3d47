import * as z from 'zod/mini'
import { Failure } from '../../kit/failure.ts'
import type { Answer, MemberPage, Page } from '../../kit/handle.server.ts'
import { parseJson } from '../../kit/serve/body.server.ts'
import { firstOf } from '../../kit/values/required.ts'
import { originOf } from '../address.server.ts'
import { addUpload, checkDailyQuota, whileCounted } from '../budget/budget.server.ts'
import { cleanFileName } from '../fileName.rules.ts'
import { storeUpload, type UploadContext } from '../keep.server.ts'
import { forgetUpload } from '../quarantine.server.ts'
import { tooLarge } from '../storing.server.ts'
import { MAX_IMAGE_BYTES } from '../uploads.contract.ts'
import type { Companion } from './companion.server.ts'
import { passOn, replyOf } from './reply.server.ts'

// Companion downloads a file from a cloud and sends it here as an upload of the member.

const MAX_MS = 3600_000
const LIFE_SECONDS = 2 * 3600
const OWNED_MS = 2 * 3600_000

const RemoteFile = z.strictObject({
  kind: z.enum(['image', 'file']),
  name: z.string().check(z.maxLength(1000)),
  type: z.nullish(z.string().check(z.maxLength(200))),
})

export function openImports(context: UploadContext, companionOf: (origin: string) => Promise<Companion>) {
  const owners = new Map<string, string>()

  async function importFile(page: MemberPage): Promise<Answer> {
    const origin = originOf(context.publicUrl, page.header)
    const userId = page.user.id
    const file = readFile(page)
    await checkDailyQuota(page.db, context, userId)
    const companion = await companionOf(origin)
    const isImage = file.kind === 'image'
    const maxBytes = isImage ? Math.min(MAX_IMAGE_BYTES, context.maxBytes) : context.maxBytes
    const claim = { isImage, fileName: cleanFileName(file.name), contentType: file.type ?? null }
    const endpoint = companion.expect((stream, sizeBytes) =>
      whileCounted(page.db, userId, async () => {
        if (sizeBytes !== null && sizeBytes > maxBytes) throw tooLarge(maxBytes)
        return `${origin}/objects/${await keep(context, page, { stream, maxBytes, claim, announcedBytes: sizeBytes || maxBytes })}`
      }),
    )
    const answer = await companion.ask({
      ...{ method: 'POST', path: page.url, token: page.header('uppy-auth-token'), session: {} },
      body: { endpoint, protocol: 'multipart', httpMethod: 'PUT', useFormData: false, metadata: { name: file.name } },
    })
    const { token } = JSON.parse(replyOf(answer)) as { token?: string }
    if (token) {
      owners.set(token, userId)
      setTimeout(() => owners.delete(token), OWNED_MS).unref()
    }
    return passOn(answer)
  }

  return { importFile, isOwner: (token: string, userId: string) => owners.get(token) === userId }
}

type Arriving = Pick<Parameters<typeof storeUpload>[2], 'stream' | 'maxBytes' | 'claim'> & { announcedBytes: number }

async function keep(
  context: UploadContext,
  { db, user }: MemberPage,
  { stream, announcedBytes, ...rest }: Arriving,
): Promise<string> {
  const userId = user.id
  const { id } = await db
    .transaction()
    .execute((tx) =>
      addUpload(tx, context, { userId, fileName: rest.claim.fileName, announcedBytes, lifeSeconds: LIFE_SECONDS }),
    )
  const clock = setTimeout(() => stream.destroy(), MAX_MS)
  try {
    if (!(await storeUpload(db, context.storage, { id, userId, stream, ...rest })))
      throw new Failure(409, 'The upload took too long. Please try again.', 'expired')
    return id
  } catch (error) {
    await forgetUpload(db, id)
    throw error
  } finally {
    clearTimeout(clock)
  }
}

function readFile({ body, header }: Page) {
  if (!/^application\/json\b/.test(header('content-type') ?? '')) throw new Failure(415, 'The body must be JSON.')
  const read = RemoteFile.safeParse(parseJson(body))
  if (!read.success) throw new Failure(400, firstOf(read.error.issues).message, 'invalid')
  return read.data
}
