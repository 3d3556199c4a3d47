import type { Tx } from '../kit/database.server.ts'
import { lockSellers } from './balance.server.ts'
import { type Entry, FEES, sellerAccount } from './ledger/transfers.store.server.ts'
import type { RefundLine } from './refunds/refundLines.store.server.ts'
import { returnsOf } from './refunds/returns.rules.ts'
import * as statements from './refunds/returns.statements.server.ts'

/**
 * Records a refund in the earnings of an order and returns its ledger entries. Sellers return their share and the shop
 * its fee. The lines that the refund names pay first, otherwise all in proportion. The caller holds the order's lock.
 */
export async function returnEarnings(
  tx: Tx,
  orderId: string,
  amountCents: number,
  named: RefundLine[] = [],
): Promise<Entry[]> {
  const rows = await statements.listEarned(tx, { orderId })
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
  await statements.takeBack(tx, { orderId, lines: JSON.stringify(returns), sellers: JSON.stringify(moved) })
  const feeCents = sums.reduce((sum, one) => sum + one.feeCents, 0)
  return [
    ...sums.map(({ sellerId, cents, feeCents: fee }) => ({
      account: sellerAccount(sellerId),
      amountCents: cents - fee,
    })),
    { account: FEES, amountCents: feeCents },
  ].filter((entry) => entry.amountCents !== 0)
}

/** The earnings of an order stay pending while its payment is disputed. */
export async function setDisputed(tx: Tx, orderId: string, isDisputed: boolean) {
  const earned = tx.selectFrom('earnings').select('sellerId').distinct().where('orderId', '=', orderId)
  await lockSellers(
    tx,
    (await earned.execute()).map(({ sellerId }) => sellerId),
  )
  await tx.updateTable('earnings').set({ isDisputed }).where('orderId', '=', orderId).execute()
}
