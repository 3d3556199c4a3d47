import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { sellerAccount } from './ledger/transfers.store.server.ts'
import { only } from '../kit/values/required.ts'

/** `availableCents` is below zero when refunds took more than was left; later sales fill it first. */
export type Balance = { pendingCents: number; availableCents: number; paidOutCents: number }

/** What is left of a sale `e` for its seller. */
export const NET = 'e.gross_cents - e.fee_cents - e.returned_cents + e.returned_fee_cents'

/**
 * A seller's balance, from the ledger and the sales on hold, in one snapshot. Entries without a payment are payouts. A
 * disputed sale is pending until the dispute ends, also when its money was paid out before.
 */
export async function readBalance(db: Db | Tx, sellerId: string): Promise<Balance> {
  const { rows } = await sql<Balance>`
    SELECT pending::bigint AS "pendingCents", (owed - pending)::bigint AS "availableCents", paid_out::bigint AS "paidOutCents"
    FROM (SELECT coalesce(-sum(amount_cents), 0) AS owed,
        coalesce(sum(amount_cents) FILTER (WHERE payment_id IS NULL), 0) AS paid_out
      FROM ledger_entries WHERE account = ${sellerAccount(sellerId)}) ledger,
      (SELECT coalesce(sum(net), 0) AS pending FROM (
        SELECT ${sql.raw(NET)} AS net FROM earnings e WHERE e.seller_id = ${sellerId}::uuid AND e.available_at > now()
        UNION ALL
        SELECT ${sql.raw(NET)} FROM earnings e WHERE e.seller_id = ${sellerId}::uuid AND e.available_at <= now() AND e.is_disputed) one) held`.execute(
    db,
  )
  return only(rows)
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
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(account, 0)) FROM unnest(${accounts}::text[]) account`.execute(
    tx,
  )
}
