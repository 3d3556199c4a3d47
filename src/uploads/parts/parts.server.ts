import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import { originOf } from '../address.server.ts'
import { cleanFileName } from '../fileName.rules.ts'
import type { UploadContext } from '../keep.server.ts'
import type { Part } from '../storage.server.ts'
import { noSuchUpload, sizeMissing, tooLarge } from '../storing.server.ts'
import { FILES_AN_HOUR } from '../uploader.rules.ts'
import { MAX_IMAGE_BYTES } from '../uploads.contract.ts'
import { answerJson } from './answer.server.ts'
import { completeRoute } from './complete.server.ts'
import { ABORT, findUnfinished, listParts, MAX_PARTS, signPart, startParts } from './parts.contract.ts'
import { endParts, findByFingerprint, findParts, openParts, prolong } from './parts.store.server.ts'
import { partBytesOf } from './partSize.rules.ts'
import { receivePart, signOwnPart } from './receivePart.server.ts'

const PART_SECONDS = 15 * 60

export const partRoutes = (context: UploadContext, secret: string): Route[] => [
  startRoute(context),
  unfinishedRoute(),
  listRoute(context),
  signRoute(context, secret),
  completeRoute(context),
  abortRoute(context),
  stsRoute(),
  ...(context.storage.parts.put ? [receivePart(context, secret)] : []),
]

function startRoute(context: UploadContext) {
  const { storage, maxBytes } = context
  return handle(
    startParts,
    { limits: [{ per: 'account', count: FILES_AN_HOUR, seconds: 3600, isShared: true }] },
    async ({ filename, type, metadata = {} }, { db, user }) => {
      const { kind, fingerprint } = metadata
      const isImage = kind === 'image'
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
        fingerprint: fingerprint && /^[0-9a-f]{64}$/.test(fingerprint) ? fingerprint : null,
        isChecked: metadata.checksum === 'sha256',
      })
    },
  )
}

const unfinishedRoute = () =>
  handle(findUnfinished, { limits: [{ per: 'account', count: 120, seconds: 3600 }] }, async (file, { db, user }) => ({
    upload: (await findByFingerprint(db, user.id, file)) ?? null,
  }))

function listRoute({ storage }: UploadContext) {
  return handle(listParts, async ({ uploadId, key }, { db, user, header }) => {
    refuseOtherSites(header)
    const upload = await findOpen(db, user.id, key, uploadId)
    const parts = await storage.parts.list(upload.id, uploadId).catch((error: unknown) => {
      // a node has joined the parts and is checking the file or was killed; the next call finishes the upload
      if (error instanceof Failure && error.code === 'NoSuchUpload' && upload.isExact) return joined(upload.sizeBytes)
      throw error
    })
    return parts.map(({ number, sizeBytes, etag, sha256 }) => ({
      PartNumber: number,
      Size: sizeBytes,
      ETag: etag,
      ...(sha256 && { ChecksumSHA256: sha256 }),
    }))
  })
}

function signRoute({ storage, publicUrl }: UploadContext, secret: string) {
  return handle(
    signPart,
    { limits: [{ per: 'account', count: 15_000, seconds: 3600 }] },
    async ({ uploadId, partNumber, key, sha256 = null }, { db, user, header }) => {
      refuseOtherSites(header)
      const number = readNumber(partNumber)
      const upload = await findOpen(db, user.id, key, uploadId)
      const sizeBytes = sizeOfPart(upload.sizeBytes, number)
      await prolong(db, upload.id)
      const terms = { seconds: PART_SECONDS, sizeBytes, sha256 }
      const signed = storage.direct
        ? await storage.direct.signPart(upload.id, uploadId, number, terms)
        : signOwnPart(secret, originOf(publicUrl, header), { ...terms, upload, number })
      return { ...signed, expires: PART_SECONDS }
    },
  )
}

const abortRoute = ({ storage }: UploadContext) =>
  handleRaw(ABORT, { access: 'member', about: 'Cancels an upload in parts and removes them.' }, async (page) => {
    const upload = await findOpen(page.db, page.user.id, page.query.get('key') ?? '', page.params.uploadId)
    await endParts(page.db, storage, upload)
    return answerJson({})
  })

const stsRoute = () =>
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
  )

async function findOpen(db: Db, userId: string, key: string, uploadId: string) {
  const upload = await findParts(db, userId, key, uploadId)
  if (!upload.isOpen) throw noSuchUpload()
  return upload
}

/** Rejects other sites like for writes, because these reads return signatures. */
export function refuseOtherSites(header: (name: string) => string | undefined) {
  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure(403, 'Forbidden')
}

function readNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= MAX_PARTS) return number
  throw new Failure(400, 'Part number must be an integer between 1 and 10000, inclusive', 'InvalidArgument')
}

/** Calculates the parts of a file from its size, because the store lists none after the join. */
const joined = (sizeBytes: number): Part[] =>
  Array.from({ length: Math.ceil(sizeBytes / partBytesOf(sizeBytes)) }, (_, i) => ({
    ...{ number: i + 1, sizeBytes: sizeOfPart(sizeBytes, i + 1), etag: '"joined"', sha256: null },
  }))

/** Calculates the exact size of a part. Throws a Failure 400 beyond the end of the file. */
function sizeOfPart(sizeBytes: number, number: number): number {
  const partBytes = partBytesOf(sizeBytes)
  const left = sizeBytes - (number - 1) * partBytes
  if (left <= 0) throw new Failure(400, 'Your proposed upload exceeds the maximum allowed size', 'EntityTooLarge')
  return Math.min(partBytes, left)
}
