import { sql } from 'kysely'
import type { Tx } from '../kit/database.server.ts'
import { lockSellers } from './balance.server.ts'
import { type Entry, FEES, sellerAccount } from './ledger/transfers.store.server.ts'
import type { RefundLine } from './refunds/refundLines.store.server.ts'
import { type Earned, returnsOf } from './refunds/returns.rules.ts'

/**
 * Takes a refund back from the sales of an order and answers its entries for the ledger: the sellers pay what was theirs,
 * the shop its fee. The lines that the refund names pay first; otherwise all in proportion. The order is locked.
 */
export async function returnEarnings(
  tx: Tx,
  orderId: string,
  amountCents: number,
  named: RefundLine[] = [],
): Promise<Entry[]> {
  const { rows } = await sql<Earned>`
    SELECT e.order_line_id AS "orderLineId", e.seller_id AS "sellerId", e.gross_cents AS "grossCents", e.fee_cents AS "feeCents",
      e.returned_cents AS "returnedCents", e.returned_fee_cents AS "returnedFeeCents"
    FROM earnings e JOIN order_lines l ON l.id = e.order_line_id WHERE e.order_id = ${orderId}::uuid
    ORDER BY l.position`.execute(tx)
  const copiesOf = (id: string) => named.find(({ orderLineId }) => orderLineId === id)?.quantity ?? 0
  const returns = returnsOf(amountCents, rows, named).map((line) => ({ ...line, copies: copiesOf(line.orderLineId) }))
  const sellers = Map.groupBy(returns, ({ sellerId }) => sellerId)
  await lockSellers(tx, [...sellers.keys()])
  const sums = [...sellers].map(([sellerId, lines]) => ({
    sellerId,
    cents: lines.reduce((sum, { cents }) => sum + cents, 0),
    feeCents: lines.reduce((sum, { feeCents }) => sum + feeCents, 0),
    lineIds: lines.filter(({ cents }) => cents > 0).map(({ orderLineId }) => orderLineId),
  }))
  const moved = sums.filter(({ cents, feeCents }) => cents !== 0 || feeCents !== 0)
  await sql`
    WITH changed AS (
      UPDATE earnings e SET returned_cents = returned_cents + r.cents, returned_fee_cents = returned_fee_cents + r."feeCents",
        returned_quantity = returned_quantity + r.copies
      FROM json_to_recordset(${JSON.stringify(returns)}::json) AS r ("orderLineId" uuid, cents bigint, "feeCents" bigint, copies int)
      WHERE e.order_line_id = r."orderLineId")
    INSERT INTO earning_returns (seller_id, order_id, gross_cents, fee_cents, order_line_ids)
    SELECT r."sellerId", ${orderId}::uuid, r.cents, r."feeCents", ARRAY(SELECT json_array_elements_text(r."lineIds")::uuid)
    FROM json_to_recordset(${JSON.stringify(moved)}::json) AS r ("sellerId" uuid, cents bigint, "feeCents" bigint, "lineIds" json)`.execute(
    tx,
  )
  const feeCents = sums.reduce((sum, one) => sum + one.feeCents, 0)
  return [
    ...sums.map(({ sellerId, cents, feeCents: fee }) => ({
      account: sellerAccount(sellerId),
      amountCents: cents - fee,
    })),
    { account: FEES, amountCents: feeCents },
  ].filter((entry) => entry.amountCents !== 0)
}

/** While the payment of an order is disputed, what its sellers earned stays pending. */
export async function setDisputed(tx: Tx, orderId: string, isDisputed: boolean) {
  const earned = tx.selectFrom('earnings').select('sellerId').distinct().where('orderId', '=', orderId)
  await lockSellers(
    tx,
    (await earned.execute()).map(({ sellerId }) => sellerId),
  )
  await tx.updateTable('earnings').set({ isDisputed }).where('orderId', '=', orderId).execute()
}
