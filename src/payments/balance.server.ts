import type { Db, Tx } from '../kit/database.server.ts'
import { sellerAccount } from './ledger/transfers.store.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './payouts/sellerBalance.statements.server.ts'

/** `availableCents` is negative when refunds exceed the balance. Later sales reduce that debt first. */
export type Balance = { pendingCents: number; availableCents: number; paidOutCents: number }

/**
 * Computes a seller's balance in one snapshot of ledger and held sales. Entries without a payment are payouts. A
 * disputed sale is pending until the dispute ends, even if it was paid out.
 */
export async function readBalance(db: Db | Tx, sellerId: string): Promise<Balance> {
  return only(await statements.readBalance(db, { sellerId, account: sellerAccount(sellerId) }))
}

/** Locks and reads a seller's balance. Other payouts and refunds of the seller wait until the transaction ends. */
export async function lockBalance(tx: Tx, sellerId: string): Promise<Balance> {
  await lockSellers(tx, [sellerId])
  // a separate statement sees the commits of earlier lock holders
  return readBalance(tx, sellerId)
}

/** Serializes withdrawals from the balances of these sellers. Lock order: order, payment, stock, seller, credit. */
export async function lockSellers(tx: Tx, sellerIds: string[]) {
  const accounts = [...new Set(sellerIds)].map(sellerAccount).sort()
  await statements.lockAccounts(tx, { accounts })
}
