import { Failure } from '../../kit/failure.ts'
import { handleRaw, type Page } from '../../kit/handle.server.ts'
import { parseJson } from '../../kit/serve/body.server.ts'
import { originOf } from '../address.server.ts'
import { acceptUpload, type UploadContext } from '../keep.server.ts'
import { answerSoon, whileChecking } from '../lease.server.ts'
import type { NamedPart, Storage } from '../storage.server.ts'
import { noSuchUpload, refusedAs, tooLarge } from '../storing.server.ts'
import { MAX_IMAGE_BYTES } from '../uploads.contract.ts'
import { answerJson } from './answer.server.ts'
import { COMPLETE, CompletedParts } from './parts.contract.ts'
import { endParts, findParts, type PartUpload } from './parts.store.server.ts'
import { pickParts } from './pick.rules.ts'

const COMPLETE_BODY_BYTES = 2 * 1024 * 1024

type CompletedPart = { ETag: string; PartNumber: number }

export function completeRoute(context: UploadContext) {
  return handleRaw(
    COMPLETE,
    {
      access: 'member',
      about: 'Joins the parts `{ parts: [{ ETag, PartNumber }] }`. Answers `location`, the URL of the upload.',
      body: 'bytes',
      bodyLimit: COMPLETE_BODY_BYTES,
    },
    async (page) => {
      const upload = await findParts(page.db, page.user.id, page.query.get('key') ?? '', page.params.uploadId)
      if (upload.refusal) throw refusedAs(upload.refusal)
      const read = CompletedParts.safeParse(parseJson(page.body))
      if (!read.success)
        throw new Failure(400, 's3: `parts` must be an array of {ETag, PartNumber} objects.', 'InvalidPart')
      // the parts are stored already if the first reply was lost
      if (!upload.isStored) {
        if (!upload.isOpen) throw noSuchUpload()
        await finish(context, page, upload, read.data.parts)
      }
      return answerJson({ location: `${originOf(context.publicUrl, page.header)}/objects/${upload.id}` })
    },
  )
}

/** Joins and accepts the parts. Runs on one node at a time. */
const finish = (context: UploadContext, page: Page, upload: PartUpload, parts: CompletedPart[]) =>
  answerSoon(whileChecking(page.db, upload.id, () => join(context, page, upload, parts)))

async function join({ storage, maxBytes }: UploadContext, { db }: Page, upload: PartUpload, parts: CompletedPart[]) {
  const { id, uploadId } = upload
  const most = upload.isImage ? Math.min(MAX_IMAGE_BYTES, maxBytes) : maxBytes
  const named = parts.map(({ ETag, PartNumber }) => ({ number: PartNumber, etag: ETag }))
  await checkWhole(storage, upload, named)
  const stored = await storage.parts.finish(id, uploadId, named)
  if (stored.sizeBytes > most) {
    await storage.remove(id)
    await endParts(db, storage, upload)
    throw tooLarge(most)
  }
  if (!(await acceptUpload(db, storage, upload, stored, upload))) throw noSuchUpload()
}

/** Checks that no part is missing, because a file with a hole must not be sold. */
async function checkWhole(storage: Storage, { id, uploadId, isExact, sizeBytes }: PartUpload, named: NamedPart[]) {
  const stored = await storage.parts.list(id, uploadId).catch((error: unknown) => {
    // a node may have joined the parts before it was killed
    if (error instanceof Failure && error.code === 'NoSuchUpload') return null
    throw error
  })
  if (!stored) return
  const sum = pickParts(stored, named).reduce((bytes, part) => bytes + part.sizeBytes, 0)
  if (isExact && sum !== sizeBytes) throw incompleteParts(sum, sizeBytes)
}

const incompleteParts = (has: number, announced: number) =>
  new Failure(400, `The parts have ${has} of ${announced} bytes. Send the missing parts.`, 'incomplete')
