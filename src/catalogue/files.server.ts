import { recordAct } from '../identity/audit/audit.server.ts'
import { proofMissing } from '../kit/contract.ts'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Caller, User } from '../kit/handle.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { originOf, uploadIdOf } from '../uploads/address.server.ts'
import { bindUpload, findUpload, releaseUpload, type Upload } from '../uploads/binding.server.ts'
import { checkFile } from '../uploads/fileCheck.server.ts'
import { nameAfter } from '../uploads/fileName.rules.ts'
import { makeImages } from '../uploads/images.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { isUnstocked } from './kind.server.ts'

export type Owner = Pick<Caller<'member'>, 'db' | 'user' | 'header' | 'isProven' | 'isWorking'> & {
  storage: Storage
  publicUrl: string | undefined
}
type Given = {
  id: string
  imageURL?: string | null | undefined
  digitalFileURL?: string | null | undefined
  /** For earlier buyers of the file. */
  note?: string | undefined
}

/**
 * Binds the caller's uploads to their product: a new image, a new version of the file, or both. Staff may do it for any
 * product after step-up, with a line in the audit log. Idempotent, so that the caller may retry a lost answer.
 */
export async function setFiles(
  { db, user, header, isProven, isWorking, storage, publicUrl }: Owner,
  { id, imageURL, digitalFileURL, note }: Given,
) {
  const now = await findProduct(db, id, user)
  const isOwn = now.sellerId === user.id
  if (!isOwn && !((await isWorking()) && (await isProven()))) throw proofMissing()
  const origin = originOf(publicUrl, header)
  const fileObjectId = digitalFileURL ? uploadIdOf(digitalFileURL, origin) : now.fileObjectId
  const find = (uploadId: string) => findUpload(db, storage, { userId: user.id, id: uploadId })
  const file = fileObjectId && fileObjectId !== now.fileObjectId ? await find(fileObjectId) : null
  // a file is judged before the transaction, because reading it takes a while
  const checked = file && (await checkFile(storage, file))
  const image = imageURL ? await openImage({ db, user, header, storage, publicUrl }, imageURL, now.imageObjectId) : null
  if (image || file)
    await inTransaction(db, async (tx) => {
      const product = await findProduct(tx, id, user, true)
      if (image) await bindImage(tx, user.id, product, image)
      if (file) await bindFile(tx, user.id, product, { ...file, isProgram: checked!.isProgram, note: note || null })
      const what = [image && 'image', file && 'file'].filter(Boolean).join(' and ')
      if (!isOwn) await recordAct(tx, { actorId: user.id, act: 'product.files', subjectId: id, details: { what } })
    })
}

/** The upload of a new image with its sizes made; null if the product has it already. */
export async function openImage(
  { db, user, header, storage, publicUrl }: Pick<Owner, 'db' | 'user' | 'header' | 'storage' | 'publicUrl'>,
  imageURL: string,
  presentId: string | null,
): Promise<Upload | null> {
  const id = uploadIdOf(imageURL, originOf(publicUrl, header))
  if (id === presentId) return null
  const image = await findUpload(db, storage, { userId: user.id, id })
  // decoding takes a second: do it outside the transaction
  await makeImages(storage, image)
  return image
}

type Product = Awaited<ReturnType<typeof findProduct>>

/** The product of the caller or, for an admin, of anyone; 404 otherwise. `isHeld` locks its row. */
export async function findProduct(db: Db | Tx, id: string, user: Pick<User, 'id' | 'role'>, isHeld = false) {
  const product = await db
    .selectFrom('products')
    .select((row) => [
      'id',
      'title',
      'imageObjectId',
      'sellerId',
      'categoryId',
      'delivery',
      'version',
      row
        .selectFrom('productFiles')
        .select('objectId')
        .whereRef('productFiles.id', '=', 'products.fileId')
        .as('fileObjectId'),
      row
        .selectFrom('productFiles')
        .select('isProgram')
        .whereRef('productFiles.id', '=', 'products.fileId')
        .as('isProgram'),
    ])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .$if(isHeld, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!product || (product.sellerId !== user.id && user.role !== 'admin')) throw new Failure(404, 'Product not found')
  return product
}

export async function bindImage(tx: Tx, userId: string, product: Product, { id }: Upload) {
  if (product.imageObjectId === id) return
  await bindUpload(tx, { userId, id })
  const set = { imageObjectId: id, version: product.version + 1, updatedAt: now }
  await tx.updateTable('products').set(set).where('id', '=', product.id).execute()
  if (product.imageObjectId) await releaseUpload(tx, product.imageObjectId)
}

/** Adds a version and sells it from now on. Earlier buyers keep theirs. */
async function bindFile(
  tx: Tx,
  userId: string,
  product: Product,
  upload: Upload & { isProgram: boolean; note: string | null },
) {
  if (product.fileObjectId === upload.id) return
  if (upload.isProgram) await refuseProgram(tx, product.categoryId)
  await bindUpload(tx, { userId, id: upload.id })
  const { id } = await tx
    .insertInto('productFiles')
    .values({
      productId: product.id,
      objectId: upload.id,
      fileName: upload.fileName ?? nameAfter(product.title, upload.extension),
      contentType: upload.contentType,
      sizeBytes: upload.sizeBytes,
      sha256: upload.sha256,
      isProgram: upload.isProgram,
      checkedAt: now,
      note: upload.note,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // a seller who gives a file instead of codes sells that file
  const takesFile = product.delivery === 'code' && (await isUnstocked(tx, product.id))
  const set = { fileId: id, updatedAt: now, ...(takesFile && { delivery: 'file' as const, isOutOfStock: false }) }
  await tx.updateTable('products').set(set).where('id', '=', product.id).execute()
  if (upload.note && product.fileObjectId)
    await addJob(tx, 'mail_new_version', { fileId: id }, { key: `version:${id}` })
}

/** Throws a Failure 415 unless the category sells programs. */
export async function refuseProgram(tx: Tx, categoryId: string) {
  const fit = await tx.selectFrom('categories').select(['id', 'name']).where('sellsPrograms', '=', true).execute()
  if (fit.some(({ id }) => id === categoryId)) return
  const names = fit.map(({ name }) => name).join(' or ')
  const where = names ? `only the category ${names}` : 'no category'
  throw new Failure(415, `The file is or holds a program, which ${where} takes.`, 'program')
}
