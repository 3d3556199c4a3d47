import { createHmac } from 'node:crypto'
import { type Answer, handleRaw, type PageOf } from '../../kit/handle.server.ts'
import { isSameSecret } from '../../kit/secret.server.ts'
import { COMMON } from '../../kit/serve/headers.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import type { UploadContext } from '../keep.server.ts'
import { denied, drain, expired } from '../signedPut.server.ts'
import type { SignedRequest } from '../storage.server.ts'
import { noSuchUpload, tooLarge } from '../storing.server.ts'
import { type PartUpload, read } from './parts.store.server.ts'
import { required } from '../../kit/values/required.ts'

// PUT /objects/:id/parts/:number, the target of signed URLs if the shop itself stores the bytes.

type Terms = {
  upload: Pick<PartUpload, 'id' | 'uploadId' | 'userId'>
  number: number
  sizeBytes: number
  sha256: string | null
}

const signatureOf = (secret: string, { upload, number, sizeBytes, sha256 }: Terms, expires: string) =>
  createHmac('sha256', secret)
    .update(['part', upload.id, upload.uploadId, upload.userId, number, sizeBytes, sha256 ?? '', expires].join('\n'))
    .digest('base64url')

export function signOwnPart(secret: string, origin: string, terms: Terms & { seconds: number }): SignedRequest {
  const expires = String(Math.floor(Date.now() / 1000) + terms.seconds)
  const query = new URLSearchParams({
    upload: terms.upload.uploadId,
    size: String(terms.sizeBytes),
    ...(terms.sha256 && { sha256: terms.sha256 }),
    expires,
    signature: signatureOf(secret, terms, expires),
  })
  return { url: `${origin}/objects/${terms.upload.id}/parts/${terms.number}?${query}`, headers: {} }
}

export function receivePart({ storage, maxBytes }: UploadContext, secret: string) {
  return handleRaw(
    'PUT /objects/:id/parts/:number',
    {
      access: 'public',
      about: 'Takes the bytes of one part of an upload under a signed URL.',
      body: 'stream',
      bodyLimit: maxBytes,
    },
    async (page): Promise<Answer> => {
      try {
        const terms = await readTerms(page, secret)
        if ('status' in terms) return terms
        const { upload, number, sizeBytes, sha256 } = terms
        if (!upload.isOpen) throw noSuchUpload()
        const declared = Number(page.header('content-length') ?? sizeBytes)
        if (declared > sizeBytes) throw tooLarge(sizeBytes)
        const { etag } = await required(storage.parts.put, 'the writer of parts')(
          upload.id,
          upload.uploadId,
          number,
          page.stream,
          {
            maxBytes: sizeBytes,
            sha256,
          },
        )
        return { status: 200, headers: { ...COMMON, etag } }
      } finally {
        await drain(page.stream, 16 * 1024 * 1024)
      }
    },
  )
}

type PartPage = PageOf<'PUT /objects/:id/parts/:number', 'public'>

async function readTerms({ db, params, query, user }: PartPage, secret: string) {
  const [id, uploadId, expires] = [params.id, query.get('upload') ?? '', query.get('expires') ?? '']
  const upload = isUuid(id) ? await read(db, id, uploadId) : undefined
  if (!upload) return denied
  const terms = {
    upload,
    number: Number(params.number),
    sizeBytes: Number(query.get('size')),
    sha256: query.get('sha256'),
  }
  if (!isSameSecret(query.get('signature') ?? '', signatureOf(secret, terms, expires))) return denied
  // the URL grants access, but not to a browser with another account's session
  if (user && user.id !== upload.userId) return denied
  return Number(expires) * 1000 > Date.now() ? terms : expired
}
