import { deliverGoods } from '../delivery/kinds.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { changeOrder, linesOf, lockOrder } from '../orders/orders.store.server.ts'
import { paidCents } from '../payments/line.rules.ts'
import { noteEarnings } from '../payments/payments.store.server.ts'
import type { Visitor } from '../risk/risk.server.ts'
import { findCopy } from './checkout.statements.server.ts'
import type { Checkout } from './context.server.ts'
import type { PricedLine } from './place.rules.ts'
import { notifyReady } from './receipt.server.ts'
import { STOPPED } from './risk.server.ts'
import { earningsOf } from './complete.server.ts'

// Orders of $0.00. They have no provider, payment, ledger entry or job (decision 0058).

/** Stored in place of a method in an order without a payment. */
export const FREE_METHOD = 'free'

/**
 * Allows one free copy of a product per member, also with a discount code. Throws a 409 Failure for more copies, and
 * for a product that the member owns or has in an unpaid order. Serializes the member's placements.
 */
export async function refuseSecondCopies(tx: Tx, userId: string, lines: PricedLine[]) {
  const free = lines.filter((line) => paidCents(line) === 0)
  if (free.length === 0) return
  const many = free.find(({ quantity }) => quantity > 1)
  if (many) throw new Failure(409, `You can get one copy of ${many.title} for free.`, 'one_copy')
  const [known] = await findCopy(tx, { userId, productIds: free.map(({ productId }) => productId) })
  if (!known) return
  const { title } = free.find(({ productId }) => productId === known.productId)!
  throw known.isOwned
    ? new Failure(409, `You have ${title} already. It is in your orders.`, 'already_owned')
    : new Failure(409, `${title} is in an order that you have not paid yet.`, 'already_ordered')
}

/** Completes an order of $0.00 in the placing transaction. A refusal rolls back the cart too. */
export async function completeFree(tx: Tx, checkout: Checkout, visitor: Visitor, orderId: string) {
  if ((await checkout.risk.evaluateCovered(tx, orderId, visitor)) === 'refuse') throw STOPPED
  const order = (await lockOrder(tx, orderId))!
  const lines = await linesOf(tx, orderId)
  const { fee, payoutHoldDays } = checkout.config
  await noteEarnings(tx, earningsOf(lines, fee), payoutHoldDays)
  await deliverGoods(tx, { userId: order.userId, paymentId: null, secret: checkout.secret }, lines)
  await changeOrder(tx, order, 'completed', 'free')
  await notifyReady(tx, checkout, order, lines)
}
