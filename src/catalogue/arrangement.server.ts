import { type Db, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { renameFile } from '../uploads/fileName.rules.ts'
import { findSoldVersion } from './product.statements.server.ts'
import { FILES_CHANGED, findProduct, sellFiles } from './files.server.ts'

const SOLD = new Failure(409, 'Buyers have this file under its name. Replace it to give it another one.', 'sold')

type Arrangement = { id: string; files: { id: string; name: string }[]; removedId?: string | undefined }

/**
 * Sets order and names of a product's files, and takes one off sale. Throws a Failure: 404 for another seller's
 * product, 409 `changed` for a different set of files, 409 `sold` for renaming a bought file, 400 for an empty name or
 * another extension.
 */
export async function setArrangement(db: Db, sellerId: string, { id, files, removedId }: Arrangement) {
  await inTransaction(db, async (tx) => {
    // the row lock blocks concurrent orders
    const product = await findProduct(tx, id, { id: sellerId, role: 'member' }, true)
    const given = [...files.map((file) => file.id), ...(removedId ? [removedId] : [])]
    const present = new Set(product.files.map((file) => file.id))
    if (given.length !== present.size || !given.every((fileId) => present.delete(fileId))) throw FILES_CHANGED
    const names = await tx.selectFrom('productFiles').select(['id', 'fileName']).where('id', 'in', given).execute()
    const nameOf = new Map(names.map(({ id: fileId, fileName }) => [fileId, fileName]))
    for (const file of files) {
      const before = nameOf.get(file.id)!
      const fileName = renameFile(before, file.name)
      if (!fileName) throw new Failure(400, 'A file needs a name, and keeps the ending of its name.', 'invalid')
      if (fileName === before) continue
      const [sold] = await findSoldVersion(tx, { productId: id, fileId: file.id })
      if (sold) throw SOLD
      await tx.updateTable('productFiles').set({ fileName }).where('id', '=', file.id).execute()
    }
    await sellFiles(
      tx,
      id,
      files.map((file) => file.id),
    )
  })
}
