import { createHash } from 'node:crypto'
import type { Cutter } from '../../catalogue/previews/cut/cutter.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, handleRaw, type MemberPage, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { mailMember } from '../../notifications/mail/caseMail.server.ts'
import type { EvidenceFile } from '../../payments/disputes/disputes.ts'
import { type Dispute, findDispute, lockDispute } from '../../payments/disputes/disputes.store.server.ts'
import { originOf, uploadIdOf } from '../../uploads/address.server.ts'
import { bindUpload, findUpload, releaseUpload, type Upload } from '../../uploads/binding.server.ts'
import { checkFile } from '../../uploads/checks/fileCheck.server.ts'
import { checkImage } from '../../uploads/images/images.server.ts'
import { sendFile } from '../../uploads/sendFile.server.ts'
import { readStart } from '../../uploads/storage.server.ts'
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES } from '../../uploads/uploader.rules.ts'
import { isEnded } from './dispute.rules.ts'
import * as statements from './disputeFiles.statements.server.ts'
import { type AttachedFile, attachFile, detachFile, type Free } from './evidenceFile.contract.ts'
import { freeBeside, MAX_EVIDENCE_PAGES } from './evidenceFile.rules.ts'

// Files that sellers and staff attach to the answer of a dispute. They are not public. The store sends
// them to the payment provider with its answer.

type Shows = EvidenceFile['shows']

const MISSING = new Failure(404, 'Not found')
export const CLOSED = new Failure(
  409,
  'The store has answered the provider, the dispute has ended, or the deadline has passed.',
  'closed',
)
const WRONG_TYPE = new Failure(415, 'Attach a PDF, a PNG or a JPEG.', 'wrong_type')
const TOO_LARGE = new Failure(413, 'The files of a dispute have at most 4.5 MB together.', 'too_large')
const TOO_LONG = new Failure(
  413,
  `A PDF for the payment provider has at most ${MAX_EVIDENCE_PAGES} pages.`,
  'too_many_pages',
)
const TAKEN = new Failure(409, 'A file of this kind is attached already.', 'taken')

const reads = { limits: [{ per: 'account', count: 120, seconds: 60 } as const] }
const changes = { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true } as const] }

export type Attaching = Pick<Checkout, 'config' | 'storage' | 'publicUrl'> & { cutter: Pick<Cutter, 'countPages'> }

export const evidenceFileRoutes = (checkout: Attaching): Route[] => [
  handle(attachFile, changes, async ({ id, ...given }, { user, db, header }) => {
    await refuseOwn(db, id, user.id)
    const upload = await readUpload(db, checkout, header, { userId: user.id, ...given })
    await inTransaction(db, async (tx) => {
      const { orderId } = await lockOpen(tx, id)
      await attach(tx, { disputeId: id, upload, shows: given.shows })
      const details = { dispute: id, shows: given.shows }
      await recordAct(tx, { actorId: user.id, act: 'dispute.file_added', subjectId: orderId, details })
    })
    return { id }
  }),

  handle(detachFile, changes, async ({ id, fileId }, { user, db }) => {
    await refuseOwn(db, id, user.id)
    await inTransaction(db, async (tx) => {
      const { orderId } = await lockOpen(tx, id)
      const { shows, userId } = await detach(tx, { id: fileId, disputeId: id, userId: null })
      if (userId !== user.id) await mailOwner(tx, checkout, { orderId, userId, fileId })
      const details = { dispute: id, shows, from: userId }
      await recordAct(tx, { actorId: user.id, act: 'dispute.file_removed', subjectId: orderId, details })
    })
    return { id }
  }),

  handleRaw(
    'GET /dispute-files/:id',
    { access: 'member', about: 'A file that the caller attached to the answer of a dispute.', ...reads },
    (page) => send(page, checkout.storage, { id: page.params.id, userId: page.user.id, disputeId: null }),
  ),

  handleRaw(
    'GET /api/admin/disputes/:id/files/:fileId',
    { access: 'finance', about: 'A file that a seller or staff attached to the answer of a dispute.', ...reads },
    async (page) => {
      const { id: disputeId, fileId: id } = page.params
      if (!isUuid(disputeId)) throw MISSING
      await refuseOwn(page.db, disputeId, page.user.id)
      return send(page, checkout.storage, { id, userId: null, disputeId })
    },
  ),
]

async function send(page: MemberPage, storage: Checkout['storage'], asked: statements.FindFileInput) {
  const [found] = isUuid(asked.id) ? await statements.findFile(page.db, asked) : []
  if (!found) throw MISSING
  const { objectId: key, ...file } = found
  return sendFile(page, storage, { key, ...file })
}

const mailOwner = (
  tx: Tx,
  mailing: Pick<Checkout, 'config' | 'publicUrl'>,
  { orderId, userId, fileId }: { orderId: string; userId: string; fileId: string },
) =>
  mailMember(tx, mailing, userId, {
    key: `dispute-file-removed:${fileId}`,
    subject: `Staff removed your file from a dispute: order ${orderId.slice(-8)}`,
    lines: ['The store does not send this file to the payment provider. You can attach another one until we answer.'],
  })

async function refuseOwn(db: Db, id: string, staffId: string) {
  const known = await findDispute(db, id)
  if (!known) throw MISSING
  if (known.userId === staffId) throw OWN_PURCHASE
}

async function lockOpen(tx: Tx, id: string): Promise<Dispute> {
  const dispute = await lockDispute(tx, id)
  if (isEnded(dispute.state) || dispute.evidenceId !== null) throw CLOSED
  return dispute
}

/**
 * Finds an upload that can be evidence. Throws a Failure: 415 for another type or a damaged file, 400 for a damaged picture,
 * 413 for a large file or too many pages.
 */
export async function readUpload(
  db: Db,
  { storage, publicUrl, cutter }: Omit<Attaching, 'config'>,
  header: (name: string) => string | undefined,
  { userId, uploadURL }: { userId: string; uploadURL: string },
): Promise<Upload> {
  const id = uploadIdOf(uploadURL, originOf(publicUrl, header), storage)
  const upload = await findUpload(db, storage, { userId, id })
  if (!EVIDENCE_TYPES.includes(upload.contentType)) throw WRONG_TYPE
  if (upload.sizeBytes > MAX_EVIDENCE_BYTES) throw TOO_LARGE
  // checks the type that the bytes have, because the name may have no extension
  await checkFile(storage, { ...upload, fileName: null })
  if (upload.contentType !== 'application/pdf') await checkImage(storage, upload)
  else {
    const pages = await cutter.countPages({ objectId: id, sizeBytes: upload.sizeBytes }, userId)
    if (pages !== null && pages > MAX_EVIDENCE_PAGES) throw TOO_LONG
  }
  return upload
}

/** Attaches an upload to a dispute, which the caller has locked. */
export async function attach(
  tx: Tx,
  { disputeId, upload, shows }: { disputeId: string; upload: Upload; shows: Shows },
) {
  const free = freeBeside(await statements.listFiles(tx, { disputeId, userId: null }))
  if (!free.kinds.includes(shows)) throw TAKEN
  const { id: objectId, userId, contentType, sizeBytes, sha256 } = upload
  if (sizeBytes > free.bytes) throw TOO_LARGE
  await bindUpload(tx, { userId, id: objectId })
  const fileName = upload.fileName?.slice(0, 255) || nameOf(shows, contentType)
  await statements.addFile(tx, { disputeId, userId, objectId, shows, fileName, contentType, sizeBytes, sha256 })
}

/** Removes a file of a dispute, which the caller has locked. `userId` limits it to a file of this person. */
export async function detach(tx: Tx, file: statements.RemoveFileInput) {
  const [removed] = await statements.removeFile(tx, file)
  if (!removed) throw MISSING
  await releaseUpload(tx, removed.objectId)
  return removed
}

/** The files of a dispute, or those of one person. */
export async function listAttached(db: Db | Tx, disputeId: string, userId: string | null): Promise<AttachedFile[]> {
  const files = await statements.listFiles(db, { disputeId, userId })
  return files.map(({ id, shows, fileName, sizeBytes, by, createdAt }) => ({
    ...{ id, shows, fileName, sizeBytes, by },
    addedAt: createdAt.toISOString(),
  }))
}

/** Returns the kinds and the number of bytes that can still be attached to a dispute. */
export const readFree = async (db: Db, disputeId: string): Promise<Free> =>
  freeBeside(await statements.listFiles(db, { disputeId, userId: null }))

const EXTENSIONS: Record<string, string> = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' }
const nameOf = (shows: Shows, contentType: string) => `${shows}.${EXTENSIONS[contentType] ?? 'bin'}`

const MAX_READ_MS = 30_000

/**
 * Reads the files of a dispute, at most 4.5 MB, to send them. `problem` describes a file that is missing or damaged. Throws if the
 * storage cannot be read now.
 */
export async function loadFiles({ db, storage }: Pick<Checkout, 'db' | 'storage'>, disputeId: string) {
  const files: EvidenceFile[] = []
  for (const file of await statements.listFiles(db, { disputeId, userId: null })) {
    const { shows, contentType } = file
    const bytes = await readWhole(storage, file)
    if (!bytes) return { files: [], problem: `the file “${file.fileName}” could not be read` }
    files.push({ shows, contentType, fileName: nameOf(shows, contentType), bytes })
  }
  return { files, problem: null }
}

/** The storage answered, and it does not have all bytes of the file. Any other failure may pass. */
const isDamage = (error: unknown) => error instanceof Failure && ['no_bytes', 'cut_off'].includes(error.code ?? '')

/** Null: the bytes are missing, or they are not those that were attached. */
async function readWhole(
  storage: Checkout['storage'],
  { objectId, sizeBytes, sha256 }: { objectId: string; sizeBytes: number; sha256: string },
) {
  try {
    const bytes = await readStart(storage, objectId, sizeBytes, MAX_READ_MS)
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : null
  } catch (error) {
    if (!isDamage(error)) throw error
    log.error('a file of a dispute could not be read', { object: objectId, error })
    return null
  }
}

const KEPT_DAYS = 180

export const evidenceFileJobs = ({ db }: Pick<Checkout, 'db'>): Job[] => [
  { name: 'delete_dispute_files', pool: 'other', cron: '31 3 * * *', run: () => deleteOldFiles(db, KEPT_DAYS) },
]

/** Deletes the files that a member attached, and those about purchases of the member. */
export const forgetFilesOf = async (tx: Tx, userId: string) => release(tx, await statements.forgetFiles(tx, { userId }))

const deleteOldFiles = (db: Db, days: number) =>
  inTransaction(db, async (tx) => release(tx, await statements.deleteOldFiles(tx, { days })))

async function release(tx: Tx, files: { objectId: string }[]) {
  for (const { objectId } of files) await releaseUpload(tx, objectId)
}
