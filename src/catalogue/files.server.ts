import { recordAct } from '../identity/audit/audit.server.ts'
import { proofMissing } from '../kit/contract.ts'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Caller, User } from '../kit/handle.server.ts'
import { originOf, uploadIdOf } from '../uploads/address.server.ts'
import { bindUpload, findUpload, releaseUpload, type Upload } from '../uploads/binding.server.ts'
import { nameAfter } from '../uploads/fileName.rules.ts'
import { makeImages } from '../uploads/images.server.ts'
import type { Storage } from '../uploads/storage.server.ts'

type Owner = Pick<Caller<'member'>, 'db' | 'user' | 'header' | 'isProven' | 'isWorking'> & {
  storage: Storage
  publicUrl: string | undefined
}
type Given = { id: string; imageURL?: string | null | undefined; digitalFileURL?: string | null | undefined }

/**
 * Binds the caller's uploads to their product: a new image, a new version of the file, or both. Staff may do it for any
 * product after step-up, with a line in the audit log. Idempotent, so that the caller may retry a lost answer.
 */
export async function setFiles(
  { db, user, header, isProven, isWorking, storage, publicUrl }: Owner,
  { id, imageURL, digitalFileURL }: Given,
) {
  const now = await findProduct(db, id, user)
  const isOwn = now.sellerId === user.id
  if (!isOwn && !((await isWorking()) && (await isProven()))) throw proofMissing()
  const origin = originOf(publicUrl, header)
  const imageId = imageURL ? uploadIdOf(imageURL, origin) : now.imageObjectId
  const fileObjectId = digitalFileURL ? uploadIdOf(digitalFileURL, origin) : now.fileObjectId
  const find = (uploadId: string) => findUpload(db, storage, { userId: user.id, id: uploadId })
  const image = imageId && imageId !== now.imageObjectId ? await find(imageId) : null
  const file = fileObjectId && fileObjectId !== now.fileObjectId ? await find(fileObjectId) : null
  // decoding takes a second: do it outside the transaction
  if (image) await makeImages(storage, image)
  if (image || file)
    await inTransaction(db, async (tx) => {
      const product = await findProduct(tx, id, user, true)
      if (image) await bindImage(tx, user.id, product, image)
      if (file) await bindFile(tx, user.id, product, file)
      const what = [image && 'image', file && 'file'].filter(Boolean).join(' and ')
      if (!isOwn) await recordAct(tx, { actorId: user.id, act: 'product.files', subjectId: id, details: { what } })
    })
}

type Product = Awaited<ReturnType<typeof findProduct>>

/** The product of the caller or, for an admin, of anyone; 404 otherwise. `isHeld` locks its row. */
async function findProduct(db: Db | Tx, id: string, user: Pick<User, 'id' | 'role'>, isHeld = false) {
  const product = await db
    .selectFrom('products')
    .select((row) => [
      'id',
      'title',
      'imageObjectId',
      'sellerId',
      row
        .selectFrom('productFiles')
        .select('objectId')
        .whereRef('productFiles.id', '=', 'products.fileId')
        .as('fileObjectId'),
    ])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .$if(isHeld, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!product || (product.sellerId !== user.id && user.role !== 'admin')) throw new Failure(404, 'Product not found')
  return product
}

async function bindImage(tx: Tx, userId: string, product: Product, { id }: Upload) {
  if (product.imageObjectId === id) return
  await bindUpload(tx, { userId, id })
  await tx.updateTable('products').set({ imageObjectId: id, updatedAt: now }).where('id', '=', product.id).execute()
  if (product.imageObjectId) await releaseUpload(tx, product.imageObjectId)
}

/** Adds a version and sells it from now on. Earlier buyers keep theirs. */
async function bindFile(tx: Tx, userId: string, product: Product, upload: Upload) {
  if (product.fileObjectId === upload.id) return
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
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('products').set({ fileId: id, updatedAt: now }).where('id', '=', product.id).execute()
}
