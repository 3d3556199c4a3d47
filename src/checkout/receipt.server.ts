import { discountsOf, isDiscounted } from '../cart/discounts/discount.store.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { sendMail } from '../kit/mail/mail.server.ts'
import { only } from '../kit/values/required.ts'
import { usd } from '../localisation/usd.rules.ts'
import { sendPush } from '../notifications/push/push.enqueue.server.ts'
import { fromBundle } from '../purchases/fromBundle.rules.ts'
import type { OrderLineRow, OrderRow } from '../orders/orders.store.server.ts'
import { readBuyer } from './checkout.statements.server.ts'
import type { Checkout } from './context.server.ts'

type Mailing = Pick<Checkout, 'config' | 'publicUrl'>

/**
 * Mails the buyer of an order, with a button that opens it. Sends each `key` once and nothing to an erased account.
 * Returns true if the buyer subscribes to push messages.
 */
export async function mailBuyer(
  tx: Tx,
  { config, publicUrl }: Mailing,
  order: OrderRow,
  mail: { key: string; subject: string; lines: string[] },
): Promise<boolean> {
  const { email, erasedAt, hasPush } = only(await readBuyer(tx, { userId: order.userId }))
  if (erasedAt) return false
  const action = { label: 'Open your order', url: `${publicUrl}/orders/${order.id}` }
  await sendMail(tx, config, { ...mail, to: email, action })
  return hasPush
}

const goodsOf = (lines: Pick<OrderLineRow, 'title'>[]) =>
  lines.length > 1 ? `${lines[0]?.title} and ${lines.length - 1} more` : (lines[0]?.title ?? '')

export async function notifyReady(tx: Tx, checkout: Mailing, order: OrderRow, lines: OrderLineRow[], earnedCents = 0) {
  const discounts = lines.some(isDiscounted) ? await discountsOf(tx, order.id) : []
  const hasPush = await mailBuyer(tx, checkout, order, {
    key: `receipt:${order.id}`,
    subject: `Your order ${order.id.slice(-8)} is ready: ${goodsOf(lines)}`,
    lines: [
      order.totalCents === 0
        ? 'Thank you. Your order is ready, and there is nothing to pay.'
        : 'Thank you. Your payment has arrived and your order is ready.',
      ...lines.map(
        (line) =>
          `${line.quantity} × ${line.title}${fromBundle(line.bundleTitle)}: ${line.priceCents === 0 ? 'Free' : usd(line.priceCents * line.quantity)}`,
      ),
      ...discounts.map(({ code, amountCents }) => `Discount ${code}: −${usd(amountCents)}`),
      `Total: ${usd(order.totalCents)}`,
      ...(order.creditCents > 0
        ? [`Store credit: −${usd(order.creditCents)}`, `Paid: ${usd(order.totalCents - order.creditCents)}`]
        : []),
      ...(earnedCents > 0
        ? [`Your first purchase has earned you ${usd(earnedCents)} of store credit, to be spent from now on.`]
        : []),
    ],
  })
  if (!hasPush) return
  await sendPush(tx, order.userId, {
    key: `order:${order.id}`,
    title: 'Your order is ready',
    body: goodsOf(lines),
    url: `/orders/${order.id}`,
  })
}

/** Mails the buyer once that a paid order is under review. The order's page shows the reason. */
export async function notifyHeld(tx: Tx, checkout: Mailing, order: OrderRow, until: Date) {
  const time = until.toISOString()
  await mailBuyer(tx, checkout, order, {
    key: `held:${order.id}`,
    subject: `We’re reviewing your order ${order.id.slice(-8)}`,
    lines: [
      'Your payment has arrived. We look at this order once more before it is delivered.',
      `If it is not delivered by ${time.slice(0, 10)} ${time.slice(11, 16)} UTC, all of your money goes back by itself.`,
      'Your order says why, and what you can do to make it go on.',
    ],
  })
}
