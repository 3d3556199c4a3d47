import type { Tx } from '../../kit/database.server.ts'
import { releaseUpload } from '../../uploads/binding.server.ts'
import { deleteStaleCuts } from './preview.statements.server.ts'

/** Deletes the samples of a product that were cut from another file than the one that it sells first. */
export async function removeStaleCuts(tx: Tx, productId: string) {
  for (const { objectId } of await deleteStaleCuts(tx, { productId })) await releaseUpload(tx, objectId)
}
