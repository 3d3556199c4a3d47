import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { type Answer, handleRaw, type Page, type PageOf } from '../kit/handle.server.ts'
import { COMMON } from '../kit/serve/headers.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { isSigned, originOf } from './address.server.ts'
import { announceBytes, whileCounted } from './budget/budget.server.ts'
import { readFileName } from './fileName.rules.ts'
import { storeUpload, type UploadContext } from './keep.server.ts'
import { denied, drain, expired } from './signedPut.server.ts'
import { tooLarge } from './storing.server.ts'
import { MAX_IMAGE_BYTES } from './uploads.contract.ts'

// PUT /objects/:id, the target of signed URLs. Responds like an S3 store, as the uploader expects.

const MAX_MS = 3600_000
/** The connection is silent while this and earlier files are scanned and unpacked. */
const CHECK_MS = 5 * 60_000

export function receiveUpload(context: UploadContext, secret: string) {
  const { maxBytes, publicUrl, storage } = context

  async function receive(page: Page, id: string, userId: string): Promise<Answer> {
    const { db, header, stream } = page
    const isImage = header('x-upload-kind') === 'image'
    const most = isImage ? Math.min(MAX_IMAGE_BYTES, maxBytes) : maxBytes
    // a chunked body declares no length, so the maximum counts
    const bytes = Number(header('content-length') ?? 0) || most
    if (bytes > most) throw tooLarge(most)
    await announceBytes(db, context, { id, userId, bytes })
    const clock = setTimeout(() => stream.destroy(), MAX_MS)
    finished(stream, () => clearTimeout(clock))
    const { socket } = stream as IncomingMessage
    stream.once('close', () => socket?.setTimeout(CHECK_MS))
    const claim = {
      isImage,
      fileName: readFileName(header('x-file-name')),
      contentType: header('content-type')?.slice(0, 200) ?? null,
    }
    const sha256 = header('x-amz-checksum-sha256') ?? null
    const stored = await storeUpload(db, storage, { id, userId, stream, maxBytes: most, claim, sha256 })
    if (!stored) return expired
    return {
      status: 200,
      headers: { ...COMMON, etag: `"${stored.sha256}"`, location: `${originOf(publicUrl, header)}/objects/${id}` },
    }
  }

  return handleRaw(
    'PUT /objects/:id',
    {
      access: 'public',
      about:
        'Takes the bytes of one upload under a signed URL, once. With `X-Upload-Kind: image` only images are accepted.',
      body: 'stream',
      bodyLimit: maxBytes,
    },
    async (page) => {
      const terms = await checkUrl(page, secret, maxBytes)
      try {
        return 'status' in terms
          ? terms
          : await whileCounted(page.db, terms.userId, () => receive(page, terms.id, terms.userId))
      } catch (error) {
        if (error instanceof Failure && error.code === 'exists') return expired
        throw error
      } finally {
        await drain(page.stream, maxBytes)
      }
    },
  )
}

async function checkUrl(
  page: PageOf<'PUT /objects/:id', 'public'>,
  secret: string,
  maxBytes: number,
): Promise<{ id: string; userId: string } | Answer> {
  const id = page.params.id
  const upload = isUuid(id) ? await findIssued(page.db, id) : undefined
  if (!upload) return denied
  const terms = { id, userId: upload.userId, expires: page.query.get('expires') ?? '', maxBytes }
  if (!isSigned(secret, terms, page.query.get('signature') ?? '')) return denied
  // the URL grants access, but not to a browser with another account's session
  if (page.user && page.user.id !== upload.userId) return denied
  return upload.isOpen ? { id, userId: upload.userId } : expired
}

const findIssued = (db: Db, id: string) =>
  db
    .selectFrom('objects')
    .select(['userId', sql<boolean>`status = 'issued' AND expires_at > now()`.as('isOpen')])
    .where('id', '=', id)
    .executeTakeFirst()
