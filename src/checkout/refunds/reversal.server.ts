import type { Tx } from '../../kit/database.server.ts'
import type { OrderLineRow, OrderRow } from '../../orders/orders.server.ts'
import { moveCredit } from '../../payments/credit.server.ts'
import { paidCents } from '../../payments/line.rules.ts'
import { type Payment, providerAccount, recordTransfer, sellerAccount } from '../../payments/payments.store.server.ts'
import { nextShares } from './refund.rules.ts'

/** Books a refund: from what the sellers were owed to the provider's account, the buyer's credit, or both. */
export async function reverse(
  tx: Tx,
  order: OrderRow,
  payment: Payment,
  lines: OrderLineRow[],
  { beforeCents, moneyCents, creditCents }: { beforeCents: number; moneyCents: number; creditCents: number },
) {
  const owed = lines.map((line) => ({ sellerId: line.sellerId, cents: paidCents(line) }))
  const entries = [
    ...(moneyCents === 0 ? [] : [{ account: providerAccount(payment), amountCents: -moneyCents }]),
    ...nextShares(beforeCents, moneyCents + creditCents, owed).map(({ sellerId, cents }) => ({
      account: sellerAccount(sellerId),
      amountCents: cents,
    })),
  ]
  if (creditCents === 0) return recordTransfer(tx, payment.id, entries)
  const { id: orderId, userId } = order
  await moveCredit(tx, { userId, kind: 'refunded', amountCents: creditCents, orderId }, entries, payment.id)
}
