import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { lockBalance } from '../balance.server.ts'
import { findDetails, findErasedSellers, forgetDetailsOf, insertPayout, OPEN_STATES } from './payouts.store.server.ts'
import { holdMoney } from './settle.server.ts'
import { lastOf } from '../../kit/values/required.ts'

// The last payout of an erased account. The payout details stay until the account is paid.

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
  // a payout to refused details would fail, so the rule ERASED of the ledger reports the money
  if (details.rejection) return
  await holdMoney(tx, await insertPayout(tx, { sellerId, amountCents: availableCents, isScheduled: false }))
}

const AT_ONCE = 100
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Deletes the details of erased accounts that are paid, and requests returned payouts again. */
export async function payErasedAccounts(db: Db) {
  for (let after = FIRST_ID; ;) {
    const sellers = await findErasedSellers(db, after, AT_ONCE)
    for (const sellerId of sellers) await inTransaction(db, (tx) => payLast(tx, sellerId))
    if (sellers.length < AT_ONCE) return
    after = lastOf(sellers)
  }
}
