import type { Db, Tx } from '../kit/database.server.ts'
import { sellerAccount } from './ledger/transfers.store.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './payouts/sellerBalance.statements.server.ts'

/** `availableCents` is below zero when refunds took more than was left; later sales fill it first. */
export type Balance = { pendingCents: number; availableCents: number; paidOutCents: number }

/**
 * A seller's balance, from the ledger and the sales on hold, in one snapshot. Entries without a payment are payouts. A
 * disputed sale is pending until the dispute ends, also when its money was paid out before.
 */
export async function readBalance(db: Db | Tx, sellerId: string): Promise<Balance> {
  return only(await statements.readBalance(db, { sellerId, account: sellerAccount(sellerId) }))
}

/** Reads a seller's balance for a payout. Until the transaction ends, other payouts and refunds of the seller wait. */
export async function lockBalance(tx: Tx, sellerId: string): Promise<Balance> {
  await lockSellers(tx, [sellerId])
  // a statement of its own: it sees what the former holders of the lock committed
  return readBalance(tx, sellerId)
}

/** Makes what takes from these sellers' balances wait for each other. Lock order: order, payment, stock, seller, credit. */
export async function lockSellers(tx: Tx, sellerIds: string[]) {
  const accounts = [...new Set(sellerIds)].map(sellerAccount).sort()
  await statements.lockAccounts(tx, { accounts })
}
