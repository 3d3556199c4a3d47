import type { Tx } from '../../kit/database.server.ts'
import type { OrderRow } from '../../orders/orders.store.server.ts'
import { moveCredit } from '../../payments/credit.server.ts'
import { returnEarnings } from '../../payments/earnings.store.server.ts'
import { providerAccount, recordTransfer } from '../../payments/ledger/transfers.store.server.ts'
import type { Payment } from '../../payments/payments.store.server.ts'
import type { RefundLine } from '../../payments/refunds/refundLines.store.server.ts'

/** `source`: the ledger account that pays, if not the provider's. */
type Reversed = { moneyCents: number; creditCents: number; lines?: RefundLine[]; source?: string }

/** Books a refund from the sellers and the shop's fee to the provider's account, the buyer's credit, or both. */
export async function reverse(
  tx: Tx,
  order: OrderRow,
  payment: Payment,
  { moneyCents, creditCents, lines, source }: Reversed,
) {
  const entries = [
    ...(moneyCents === 0 ? [] : [{ account: source ?? providerAccount(payment), amountCents: -moneyCents }]),
    ...(await returnEarnings(tx, order.id, moneyCents + creditCents, lines)),
  ]
  if (creditCents === 0) return recordTransfer(tx, payment.id, entries)
  const { id: orderId, userId } = order
  await moveCredit(tx, { userId, kind: 'refunded', amountCents: creditCents, orderId }, entries, payment.id)
}
