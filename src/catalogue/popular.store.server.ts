import type { Db } from '../kit/database.server.ts'
import { findChangedBuyers, saveBuyers } from './product.statements.server.ts'

type Count = { productId: string; buyers: number }

/** Rows of one statement, so that sellers and sales do not wait for the job. */
const AT_ONCE = 500

const inColumns = (counts: Count[]) => ({
  productIds: counts.map(({ productId }) => productId),
  buyers: counts.map(({ buyers }) => buyers),
})

/** Notes how many buyers each product had lately; a product that is not named had none. The list of the most bought reads it. */
export async function noteBuyers(db: Db, counts: Count[]) {
  const changed = await findChangedBuyers(db, inColumns(counts))
  for (let at = 0; at < changed.length; at += AT_ONCE) await saveBuyers(db, inColumns(changed.slice(at, at + AT_ONCE)))
}
