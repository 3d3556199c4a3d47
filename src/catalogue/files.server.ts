import { sql } from 'kysely'
import { recordAct } from '../identity/audit/audit.server.ts'
import { proofMissing } from '../kit/contract.ts'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Caller, User } from '../kit/handle.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { originOf, uploadIdOf } from '../uploads/address.server.ts'
import { bindUpload, findUpload, releaseUpload, type Upload } from '../uploads/binding.server.ts'
import { checkFile } from '../uploads/checks/fileCheck.server.ts'
import { nameAfter } from '../uploads/fileName.rules.ts'
import { makeImages } from '../uploads/images/images.server.ts'
import type { SentFile } from '../uploads/sendFile.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { MAX_FILES } from './catalogue.contract.ts'
import { isUnstocked } from './kind.server.ts'
import { removeStaleCuts } from './previews/staleCuts.server.ts'

export type Owner = Pick<Caller<'member'>, 'db' | 'user' | 'header' | 'isProven' | 'isWorking'> & {
  storage: Storage
  publicUrl: string | undefined
  /** Throws a Failure if the buyer's address cannot be printed on a PDF that requires it. */
  refuseUnstampable?: ((pdf: SentFile, account: string) => Promise<void>) | undefined
}
type FilesInput = {
  id: string
  imageURL?: string | null | undefined
  digitalFileURL?: string | null | undefined
  /** Shown to earlier buyers of the file. */
  note?: string | undefined
  /** The file on sale that the upload replaces. Default: the first, or none with `isAnother`. */
  fileId?: string | undefined
  isAnother?: boolean | undefined
}

/**
 * Binds the caller's uploads to their product: an image, a version of the file, or both. Staff may change any product
 * after step-up, with an audit entry. Idempotent, so that the caller can retry after a lost reply.
 */
export async function setFiles(
  { db, user, header, isProven, isWorking, storage, publicUrl, refuseUnstampable }: Owner,
  { id, imageURL, digitalFileURL, note, fileId, isAnother = false }: FilesInput,
) {
  const now = await findProduct(db, id, user)
  if (imageURL && now.variantOf) throw OF_PRODUCT
  const isOwn = now.sellerId === user.id
  if (!isOwn && !((await isWorking()) && (await isProven()))) throw proofMissing()
  const origin = originOf(publicUrl, header)
  const uploadId = digitalFileURL ? uploadIdOf(digitalFileURL, origin, storage) : null
  const isNew = uploadId !== null && !now.files.some(({ objectId }) => objectId === uploadId)
  const file = isNew ? await findUpload(db, storage, { userId: user.id, id: uploadId }) : null
  // checks the file before the transaction, because reading it is slow
  const checked = file && (await checkFile(storage, file))
  if (file?.contentType === 'application/pdf' && now.stampsPdf)
    await refuseUnstampable?.({ ...file, key: file.id, fileName: file.fileName ?? 'file.pdf' }, user.id)
  const image = imageURL ? await openImage({ db, user, header, storage, publicUrl }, imageURL, now.imageObjectId) : null
  if (image || file)
    await inTransaction(db, async (tx) => {
      const product = await findProduct(tx, id, user, true)
      if (image) await bindImage(tx, user.id, product, image)
      if (file)
        await bindFile(tx, user.id, product, {
          upload: { ...file, isProgram: checked!.isProgram, note: note || null },
          part: partOf(product, fileId, isAnother),
        })
      const what = [image && 'image', file && 'file'].filter(Boolean).join(' and ')
      if (!isOwn) await recordAct(tx, { actorId: user.id, act: 'product.files', subjectId: id, details: { what } })
    })
}

/** Finds the upload of a new image and creates its sizes. Null if the product has the image already. */
export async function openImage(
  { db, user, header, storage, publicUrl }: Pick<Owner, 'db' | 'user' | 'header' | 'storage' | 'publicUrl'>,
  imageURL: string,
  presentId: string | null,
): Promise<Upload | null> {
  const id = uploadIdOf(imageURL, originOf(publicUrl, header), storage)
  if (id === presentId) return null
  const image = await findUpload(db, storage, { userId: user.id, id })
  // decodes outside the transaction, because it takes about a second
  await makeImages(db, storage, image)
  return image
}

const OF_PRODUCT = new Failure(409, 'A variant has the picture of its product.', 'of_product')

type Product = Awaited<ReturnType<typeof findProduct>>
type PresentFile = { id: string; objectId: string; part: number; isProgram: boolean }

const ONLY = new Failure(409, `A product has at most ${MAX_FILES} files.`, 'too_many_files')
export const FILES_CHANGED = new Failure(
  409,
  'The files of this product were changed elsewhere. Look at them and try again.',
  'changed',
)

/** Returns the part that an upload replaces; null for a new part. Throws a Failure 409 for a file not on sale. */
function partOf({ files }: Product, fileId: string | undefined, isAnother: boolean): number | null {
  if (isAnother) {
    if (files.length >= MAX_FILES) throw ONLY
    return null
  }
  const replaced = fileId === undefined ? files[0] : files.find(({ id }) => id === fileId)
  if (!replaced && fileId !== undefined) throw FILES_CHANGED
  return replaced?.part ?? null
}

/** Finds a product of the caller or, for an admin, of anyone. Throws 404 otherwise. `isHeld` locks its row. */
export async function findProduct(db: Db | Tx, id: string, user: Pick<User, 'id' | 'role'>, isHeld = false) {
  const product = await db
    .selectFrom('products')
    .select([
      'id',
      'title',
      'imageObjectId',
      'sellerId',
      'categoryId',
      'delivery',
      'version',
      'hasVariants',
      'variantOf',
      'stampsPdf',
      sql<PresentFile[]>`files_on_sale(products)`.as('files'),
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
  await bindUpload(tx, { userId, id, isImage: true })
  const set = { imageObjectId: id, version: product.version + 1, updatedAt: now }
  await tx.updateTable('products').set(set).where('id', '=', product.id).execute()
  if (product.imageObjectId) await releaseUpload(tx, product.imageObjectId)
}

type NewVersion = { upload: Upload & { isProgram: boolean; note: string | null }; part: number | null }

/** Adds a version and sells it in place of the previous one. Earlier buyers retain theirs. */
async function bindFile(tx: Tx, userId: string, product: Product, { upload, part }: NewVersion) {
  const { files } = product
  if (files.some(({ objectId }) => objectId === upload.id)) return
  if (upload.isProgram) await refuseProgram(tx, product.categoryId)
  const id = await insertFile(tx, userId, product, { upload, part })
  const ids = files.map((file) => (file.part === part ? id : file.id))
  await sellFiles(tx, product.id, ids.includes(id) ? ids : [...ids, id])
  // a seller who adds a file instead of codes or lessons sells the file
  if (
    (product.delivery === 'code' || product.delivery === 'course') &&
    !product.hasVariants &&
    !product.variantOf &&
    (await isUnstocked(tx, product.id))
  )
    await tx
      .updateTable('products')
      .set({ delivery: 'file', isOutOfStock: false })
      .where('id', '=', product.id)
      .execute()
  if (upload.note && part !== null) await addJob(tx, 'mail_new_version', { fileId: id }, { key: `version:${id}` })
}

async function insertFile(
  tx: Tx,
  userId: string,
  { id: productId, title }: Pick<Product, 'id' | 'title'>,
  { upload, part }: NewVersion,
): Promise<string> {
  await bindUpload(tx, { userId, id: upload.id })
  const { id } = await tx
    .insertInto('productFiles')
    .values({
      productId,
      objectId: upload.id,
      fileName: upload.fileName ?? nameAfter(title, upload.extension),
      contentType: upload.contentType,
      sizeBytes: upload.sizeBytes,
      sha256: upload.sha256,
      isProgram: upload.isProgram,
      checkedAt: now,
      note: upload.note,
      part:
        part ??
        sql<number>`(SELECT coalesce(max(part), 0) + 1 FROM product_files WHERE product_id = ${productId}::uuid)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Checks an upload and stores it with the product, but not for sale. `use` gets its id in the same transaction. */
export async function addInnerFile(
  { db, user, header, storage, publicUrl }: Pick<Owner, 'db' | 'user' | 'header' | 'storage' | 'publicUrl'>,
  { id, uploadURL }: { id: string; uploadURL: string },
  use: (tx: Tx, fileId: string) => Promise<void>,
) {
  const uploadId = uploadIdOf(uploadURL, originOf(publicUrl, header), storage)
  const found = await findUpload(db, storage, { userId: user.id, id: uploadId })
  const { isProgram } = await checkFile(storage, found)
  await inTransaction(db, async (tx) => {
    const product = await findProduct(tx, id, { id: user.id, role: 'member' }, true)
    if (isProgram) await refuseProgram(tx, product.categoryId)
    const upload = { ...found, isProgram, note: null }
    await use(tx, await insertFile(tx, user.id, product, { upload, part: null }))
  })
}

/** Sets the chapters of a seller's recording. Throws a Failure 404 for another seller's file. */
export async function setChapters(
  db: Db,
  sellerId: string,
  { id, fileId, chapters }: { id: string; fileId: string; chapters: string },
) {
  const { numUpdatedRows } = await db
    .updateTable('productFiles')
    .set({ chapters: chapters || null })
    .where('id', '=', fileId)
    .where('productId', '=', id)
    .where(
      sql<boolean>`EXISTS (SELECT FROM products p WHERE p.id = product_id AND p.seller_id = ${sellerId}::uuid AND p.deleted_at IS NULL)`,
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Failure(404, 'Not found')
}

/** Sells these versions in this order, at least one. Deletes samples that were cut from another first file. */
export async function sellFiles(tx: Tx, productId: string, [fileId, ...moreFileIds]: string[]) {
  const set = { fileId: fileId!, moreFileIds, updatedAt: now }
  await tx.updateTable('products').set(set).where('id', '=', productId).execute()
  await removeStaleCuts(tx, productId)
}

/** Throws a Failure 415 unless the category sells programs. */
export async function refuseProgram(tx: Tx, categoryId: string) {
  const fit = await tx.selectFrom('categories').select(['id', 'name']).where('sellsPrograms', '=', true).execute()
  if (fit.some(({ id }) => id === categoryId)) return
  const names = fit.map(({ name }) => name).join(' or ')
  const where = names ? `only the category ${names}` : 'no category'
  throw new Failure(415, `The file is or holds a program, which ${where} takes.`, 'program')
}

/** Sets whether PDFs carry the buyer's mail address. Throws a Failure 404 for another seller's product. */
export const setStamped = (db: Db, { sellerId, id, isOn }: { sellerId: string; id: string; isOn: boolean }) =>
  inTransaction(db, async (tx) => {
    await findProduct(tx, id, { id: sellerId, role: 'member' }, true)
    await tx.updateTable('products').set({ stampsPdf: isOn }).where('id', '=', id).execute()
  })
