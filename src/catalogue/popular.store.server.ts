import type { Db } from '../kit/database.server.ts'
import { findChangedBuyers, saveBuyers } from './product.statements.server.ts'

type Count = { productId: string; buyers: number }

/** Maximum rows per statement, so that sellers and sales do not wait for the job. */
const AT_ONCE = 500

const inColumns = (counts: Count[]) => ({
  productIds: counts.map(({ productId }) => productId),
  buyers: counts.map(({ buyers }) => buyers),
})

/** Stores the recent buyer count of each product; a missing product has none. Used to sort by popularity. */
export async function noteBuyers(db: Db, counts: Count[]) {
  const changed = await findChangedBuyers(db, inColumns(counts))
  for (let at = 0; at < changed.length; at += AT_ONCE) await saveBuyers(db, inColumns(changed.slice(at, at + AT_ONCE)))
}
