import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { lockBalance } from '../balance.server.ts'
import { findDetails, findErasedSellers, forgetDetailsOf, insertPayout, OPEN_STATES } from './payouts.store.server.ts'
import { holdMoney } from './settle.server.ts'
import { lastOf } from '../../kit/values/required.ts'

// Pays the balance of an erased account. The shop stores the payout details until then.

/** Requests a payout of all that the shop owes, without a minimum. Deletes the payout details when nothing is owed. */
export async function payLast(tx: Tx, sellerId: string) {
  const { availableCents } = await lockBalance(tx, sellerId)
  const details = await findDetails(tx, sellerId)
  const open = await tx
    .selectFrom('payouts')
    .select('id')
    .where('sellerId', '=', sellerId)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirst()
  if (open) return
  if (availableCents <= 0 || !details) return forgetDetailsOf(tx, sellerId)
  // a payout to rejected details would fail; the ledger rule ERASED reports the debt instead
  if (details.rejection) return
  await holdMoney(tx, await insertPayout(tx, { sellerId, amountCents: availableCents, isScheduled: false }))
}

const AT_ONCE = 100
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Deletes the details of erased accounts without a balance. Requests a payout for the others. */
export async function payErasedAccounts(db: Db) {
  for (let after = FIRST_ID; ;) {
    const sellers = await findErasedSellers(db, after, AT_ONCE)
    for (const sellerId of sellers) await inTransaction(db, (tx) => payLast(tx, sellerId))
    if (sellers.length < AT_ONCE) return
    after = lastOf(sellers)
  }
}
