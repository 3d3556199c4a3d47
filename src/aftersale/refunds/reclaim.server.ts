import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lockOrder, type OrderRow } from '../../orders/orders.store.server.ts'
import { lockSpendable, moveCredit } from '../../payments/credit.server.ts'
import { findPayment, lockPaymentsOf } from '../../payments/payments.store.server.ts'
import { findRefund, lockRefund, markReclaimed, type Refund } from '../../payments/refunds.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailBuyer } from '../../checkout/receipt.server.ts'
import { reclaimCredit } from './refund.contract.ts'
import { only, required } from '../../kit/values/required.ts'
import * as statements from './staffRefund.statements.server.ts'

// Reclaims store credit of a refund that a bank returned, if staff also paid the buyer by hand. Only credit that the
// buyer has not spent can be reclaimed (decision 0051).

/** Money that staff paid to buyers outside the providers. */
const BY_HAND = 'by_hand'

const NO_CREDIT = new Failure(409, 'This refund did not become store credit.', 'not_credited')
const TAKEN = new Failure(409, 'The credit of this refund was taken back already.', 'reclaimed')
const SPENT = new Failure(409, 'The buyer has spent this credit, so nothing is left to take back.', 'credit_spent')

export const reclaimRoute = (checkout: Checkout): Route =>
  handle(
    reclaimCredit,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async ({ id, reason }, { user, db }) => {
      const cents = await inTransaction(db, (tx) => reclaim(tx, checkout, user.id, { id, reason }))
      return { id, amount: toDecimal(cents) }
    },
  )

async function reclaim(tx: Tx, checkout: Checkout, staffId: string, { id, reason }: { id: string; reason: string }) {
  const known = await findRefund(tx, id)
  const paid = known && (await findPayment(tx, known.paymentId))
  if (!paid) throw new Failure(404, 'Not found')
  const order = required(await lockOrder(tx, paid.orderId), 'the order')
  if (order.userId === staffId) throw OWN_PURCHASE
  await lockPaymentsOf(tx, order.id)
  const refund = await lockRefund(tx, id)
  if (refund.reclaimedAt) throw TAKEN
  const spendable = await lockSpendable(tx, order.userId)
  const unspent = refund.bouncedAt && (await readUnspent(tx, order, refund))
  if (unspent === null) throw NO_CREDIT
  const cents = Math.max(0, Math.min(refund.amountCents, spendable, unspent))
  if (cents === 0) throw SPENT
  await markReclaimed(tx, id, cents)
  const movement = { userId: order.userId, kind: 'reclaimed' as const, amountCents: -cents, orderId: order.id }
  await moveCredit(tx, movement, [{ account: BY_HAND, amountCents: -cents }], paid.id)
  const details = { amount: usd(cents), of: usd(refund.amountCents), reason, refund: id }
  await recordAct(tx, { actorId: staffId, act: 'order.credit_reclaimed', subjectId: order.id, details })
  await mailBuyer(tx, checkout, order, {
    key: `reclaimed:${id}`,
    subject: `Store credit taken back: order ${order.id.slice(-8)}`,
    lines: [
      `Your bank had returned a refund of ${usd(refund.amountCents)}, and we gave you store credit for it.`,
      `We have also paid you by hand, so ${usd(cents)} of that credit is taken back. If you did not get the payment, reply to us.`,
    ],
  })
  return cents
}

/** Returns the unspent store credit of a refund. Null if the refund did not become credit. */
async function readUnspent(tx: Tx, { id: orderId, userId }: OrderRow, { id: refundId, amountCents }: Refund) {
  const rows = await statements.readUnspent(tx, { orderId, userId, refundId, amountCents })
  return only(rows).unspent
}
