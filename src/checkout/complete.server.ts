import { deliverGoods } from '../delivery/kinds.server.ts'
import { together, type Tx } from '../kit/database.server.ts'
import { changeOrder, type OrderLineRow, type OrderRow } from '../orders/orders.store.server.ts'
import { HELD } from '../payments/credit.server.ts'
import { type FeeTerms, feeOf } from '../payments/fee.rules.ts'
import { paidCents } from '../payments/line.rules.ts'
import { type Earning, type Payment, sourceAccount, takeMoney } from '../payments/payments.store.server.ts'
import type { Checkout } from './context.server.ts'

export async function complete(
  tx: Tx,
  { config: { fee, payoutHoldDays: holdDays }, secret }: Pick<Checkout, 'config' | 'secret'>,
  order: OrderRow,
  payment: Payment,
  lines: OrderLineRow[],
  { captureId, card, moneyCents }: { captureId: string; card?: string | undefined; moneyCents: number },
) {
  const from = [
    { account: sourceAccount(payment), amountCents: moneyCents },
    { account: HELD, amountCents: order.creditCents },
  ].filter(({ amountCents }) => amountCents !== 0)
  await together([
    takeMoney(tx, payment.id, { captureId, card, from, earnings: earningsOf(lines, fee), holdDays }),
    deliverGoods(tx, { userId: order.userId, paymentId: payment.id, secret }, lines),
    changeOrder(tx, order, 'completed', 'paid', { paymentId: captureId }),
  ])
}

export const earningsOf = (lines: OrderLineRow[], fee: FeeTerms): Earning[] =>
  lines.map((line) => {
    const { id: orderLineId, orderId, sellerId } = line
    const grossCents = paidCents(line)
    return { orderLineId, orderId, sellerId, grossCents, feeCents: feeOf(grossCents, fee) }
  })
