import { isolateRtl } from '../kit/bidi/isolate.rules.ts'
import { toCents } from '../kit/money.ts'
import { priceText, usd } from '../localisation/usd.rules.ts'
import { fromBundle } from './fromBundle.rules.ts'
import { isPaid, lineCents } from './order.rules.ts'
import type { Order } from './orders.contract.ts'

export type ReceiptRow = { name: string; cents: number; text: string; isTotal: boolean }

type Sums = Pick<Order, 'status' | 'lines' | 'discounts' | 'total' | 'credit' | 'refunds' | 'earned'>

/**
 * Returns the rows of a receipt. Each total is the previous total plus the rows after it. Returned and earned store
 * credit follows the last total, because it is not part of the money.
 */
export function receiptRows(order: Sums): ReceiptRow[] {
  const { status, lines, discounts, refunds } = order
  const totalCents = toCents(order.total)
  // a failed order returned its store credit
  const creditCents = status === 'failed' ? 0 : toCents(order.credit)
  const paidCents = totalCents - creditCents
  const sum = (isCredit: boolean) =>
    refunds.reduce((cents, refund) => cents + (Boolean(refund.isCredit) === isCredit ? toCents(refund.amount) : 0), 0)
  const [moneyCents, creditBackCents] = [sum(false), status === 'failed' ? 0 : sum(true)]
  return [
    ...lines.map((line) => {
      const name = line.quantity > 1 ? `${line.title} × ${line.quantity}` : line.title
      return row(name + fromBundle(line.bundle?.title), lineCents(line), priceText(lineCents(line)))
    }),
    ...discounts.map(({ code, amount }) => minus(`Discount ${code}`, toCents(amount))),
    row('Tax', 0),
    total('Total', totalCents),
    ...(creditCents > 0
      ? [minus('Store credit', creditCents), total(status === 'pending' ? 'To pay' : 'Paid', paidCents)]
      : []),
    ...(moneyCents > 0 ? [minus('Refunded', moneyCents)] : []),
    ...(moneyCents > 0 && isPaid(order) ? [total('Remaining', paidCents - moneyCents)] : []),
    ...(creditBackCents > 0 ? [plus('Store credit returned', creditBackCents)] : []),
    ...(toCents(order.earned) > 0 ? [plus('Store credit earned', toCents(order.earned))] : []),
  ]
}

const row = (name: string, cents: number, text = usd(cents)): ReceiptRow => ({
  ...{ name: isolateRtl(name), cents, text },
  isTotal: false,
})
const total = (name: string, cents: number): ReceiptRow => ({ ...row(name, cents), isTotal: true })
const minus = (name: string, cents: number) => row(name, -cents, `−${usd(cents)}`)
const plus = (name: string, cents: number) => row(name, cents, `+${usd(cents)}`)
