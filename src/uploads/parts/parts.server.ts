import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { parseJson } from '../../kit/serve/body.server.ts'
import { JSON_HEADERS, PERSONAL } from '../../kit/serve/headers.server.ts'
import { originOf } from '../address.server.ts'
import { cleanFileName } from '../fileName.rules.ts'
import { acceptUpload, type UploadContext } from '../keep.server.ts'
import { answerSoon, whileChecking } from '../lease.server.ts'
import type { NamedPart, Part } from '../storage.server.ts'
import { noSuchUpload, refusedAs, sizeMissing, tooLarge } from '../storing.server.ts'
import { MAX_IMAGE_BYTES } from '../uploads.contract.ts'
import { pickParts } from './pick.rules.ts'
import { receivePart, signOwnPart } from './receivePart.server.ts'
import {
  ABORT,
  COMPLETE,
  CompletedParts,
  findUnfinished,
  listParts,
  MAX_PARTS,
  signPart,
  startParts,
} from './parts.contract.ts'
import { partBytesOf } from './partSize.rules.ts'
import { endParts, findByFingerprint, findParts, openParts, type PartUpload, prolong } from './parts.store.server.ts'
import { FILES_AN_HOUR } from '../uploader.rules.ts'

const PART_SECONDS = 15 * 60
const COMPLETE_BODY_BYTES = 2 * 1024 * 1024

export function partRoutes(context: UploadContext, secret: string): Route[] {
  const { storage, maxBytes } = context

  async function findOpen(page: Pick<Page, 'db'>, userId: string, key: string, uploadId: string) {
    const upload = await findParts(page.db, userId, key, uploadId)
    if (!upload.isOpen) throw noSuchUpload()
    return upload
  }

  /** Joins and accepts the parts on one node at a time. */
  const finish = (page: Page, upload: PartUpload, parts: { ETag: string; PartNumber: number }[]) =>
    answerSoon(whileChecking(page.db, upload.id, () => join(page, upload, parts)))

  async function join({ db }: Page, upload: PartUpload, parts: { ETag: string; PartNumber: number }[]) {
    const { id, uploadId } = upload
    const most = upload.isImage ? Math.min(MAX_IMAGE_BYTES, maxBytes) : maxBytes
    const named = parts.map(({ ETag, PartNumber }) => ({ number: PartNumber, etag: ETag }))
    await checkWhole(upload, named)
    const stored = await storage.parts.finish(id, uploadId, named)
    if (stored.sizeBytes > most) {
      await storage.remove(id)
      await endParts(db, storage, upload)
      throw tooLarge(most)
    }
    if (!(await acceptUpload(db, storage, upload, stored, upload))) throw noSuchUpload()
  }

  /** A file with a hole must not be sold. */
  async function checkWhole({ id, uploadId, isExact, sizeBytes }: PartUpload, named: NamedPart[]) {
    const stored = await storage.parts.list(id, uploadId).catch((error: unknown) => {
      // a node that was killed may have joined them
      if (error instanceof Failure && error.code === 'NoSuchUpload') return null
      throw error
    })
    if (!stored) return
    const sum = pickParts(stored, named).reduce((bytes, part) => bytes + part.sizeBytes, 0)
    if (isExact && sum !== sizeBytes) throw incompleteParts(sum, sizeBytes)
  }

  return [
    handle(
      startParts,
      { limits: [{ per: 'account', count: FILES_AN_HOUR, seconds: 3600, isShared: true }] },
      async ({ filename, type, metadata = {} }, { db, user }) => {
        const isImage = metadata.kind === 'image'
        const most = isImage ? Math.min(MAX_IMAGE_BYTES, maxBytes) : maxBytes
        const announced = Number(metadata.size)
        const isExact = Number.isSafeInteger(announced) && announced > 0
        // the signature of a part fixes its length
        if (storage.direct && !isExact) throw sizeMissing()
        const sizeBytes = isExact ? announced : most
        if (sizeBytes > most) throw tooLarge(most)
        return openParts(db, context, {
          ...{ userId: user.id, isImage, sizeBytes, isExact },
          fileName: cleanFileName(filename),
          contentType: type || null,
          fingerprint: /^[0-9a-f]{64}$/.test(metadata.fingerprint ?? '') ? metadata.fingerprint! : null,
          isChecked: metadata.checksum === 'sha256',
        })
      },
    ),

    handle(findUnfinished, { limits: [{ per: 'account', count: 120, seconds: 3600 }] }, async (file, { db, user }) => ({
      upload: (await findByFingerprint(db, user.id, file)) ?? null,
    })),

    handle(listParts, async ({ uploadId, key }, { db, user, header }) => {
      refuseOtherSites(header)
      const upload = await findOpen({ db }, user.id, key, uploadId)
      const parts = await storage.parts.list(upload.id, uploadId).catch((error: unknown) => {
        // a node has joined them and checks the file, or was killed meanwhile: the next call finishes the upload
        if (error instanceof Failure && error.code === 'NoSuchUpload' && upload.isExact) return joined(upload.sizeBytes)
        throw error
      })
      return parts.map(({ number, sizeBytes, etag, sha256 }) => ({
        PartNumber: number,
        Size: sizeBytes,
        ETag: etag,
        ...(sha256 && { ChecksumSHA256: sha256 }),
      }))
    }),

    handle(
      signPart,
      { limits: [{ per: 'account', count: 15_000, seconds: 3600 }] },
      async ({ uploadId, partNumber, key, sha256 = null }, { db, user, header }) => {
        refuseOtherSites(header)
        const number = readNumber(partNumber)
        const upload = await findOpen({ db }, user.id, key, uploadId)
        const sizeBytes = sizeOfPart(upload.sizeBytes, number)
        await prolong(db, upload.id)
        const terms = { seconds: PART_SECONDS, sizeBytes, sha256 }
        const signed = storage.direct
          ? await storage.direct.signPart(upload.id, uploadId, number, terms)
          : signOwnPart(secret, originOf(context.publicUrl, header), { ...terms, upload, number })
        return { ...signed, expires: PART_SECONDS }
      },
    ),

    handleRaw(
      COMPLETE,
      {
        access: 'member',
        about: 'Joins the parts `{ parts: [{ ETag, PartNumber }] }`. Answers `location`, the URL of the upload.',
        body: 'bytes',
        bodyLimit: COMPLETE_BODY_BYTES,
      },
      async (page): Promise<Answer> => {
        const upload = await findParts(page.db, page.user.id, page.query.get('key') ?? '', page.params.uploadId)
        if (upload.refusal) throw refusedAs(upload.refusal)
        const read = CompletedParts.safeParse(parseJson(page.body))
        if (!read.success)
          throw new Failure(400, 's3: `parts` must be an array of {ETag, PartNumber} objects.', 'InvalidPart')
        // a repeated call, whose answer was lost
        if (!upload.isStored) {
          if (!upload.isOpen) throw noSuchUpload()
          await finish(page, upload, read.data.parts)
        }
        return answerJson({ location: `${originOf(context.publicUrl, page.header)}/objects/${upload.id}` })
      },
    ),

    handleRaw(ABORT, { access: 'member', about: 'Cancels an upload in parts and removes them.' }, async (page) => {
      const upload = await findOpen(page, page.user.id, page.query.get('key') ?? '', page.params.uploadId)
      await endParts(page.db, storage, upload)
      return answerJson({})
    }),

    handleRaw(
      'GET /companion/s3/sts',
      { access: 'member', about: 'Refused: this shop hands out no temporary credentials.' },
      async () => {
        throw new Failure(
          409,
          'Temporary credentials are not configured. They would open the whole bucket; sign each request instead.',
          'no_sts',
        )
      },
    ),

    ...(storage.parts.put ? [receivePart(context, secret)] : []),
  ]
}

const incompleteParts = (has: number, announced: number) =>
  new Failure(400, `The parts have ${has} of ${announced} bytes. Send the missing parts.`, 'incomplete')

export const answerJson = (value: unknown): Answer => ({
  status: 200,
  headers: { ...JSON_HEADERS, 'cache-control': PERSONAL },
  body: JSON.stringify(value),
})

/** These reads hand out signatures, so pages of other sites are refused as for writes. */
export function refuseOtherSites(header: (name: string) => string | undefined) {
  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure(403, 'Forbidden')
}

function readNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= MAX_PARTS) return number
  throw new Failure(400, 'Part number must be an integer between 1 and 10000, inclusive', 'InvalidArgument')
}

/** The parts of a file by its size alone: after the join the store lists none. */
const joined = (sizeBytes: number): Part[] =>
  Array.from({ length: Math.ceil(sizeBytes / partBytesOf(sizeBytes)) }, (_, i) => ({
    ...{ number: i + 1, sizeBytes: sizeOfPart(sizeBytes, i + 1), etag: '"joined"', sha256: null },
  }))

/** The exact size of a part of a file. Throws a Failure 400 for a part past its end. */
function sizeOfPart(sizeBytes: number, number: number): number {
  const partBytes = partBytesOf(sizeBytes)
  const left = sizeBytes - (number - 1) * partBytes
  if (left <= 0) throw new Failure(400, 'Your proposed upload exceeds the maximum allowed size', 'EntityTooLarge')
  return Math.min(partBytes, left)
}
