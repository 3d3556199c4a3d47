import { readLineUses } from '../../delivery/gifts/unopened.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { findOrder, linesOf, lockOrder, type OrderLineRow, type OrderRow } from '../../orders/orders.store.server.ts'
import { bonusOf } from '../../payments/bonus.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { findOpenDispute } from '../../payments/disputes/disputes.store.server.ts'
import { lockPaymentsOf, type Payment, paymentsOf } from '../../payments/payments.store.server.ts'
import { readLeftLines } from '../../payments/refunds/refundLines.store.server.ts'
import {
  insertRefund,
  readCreditLeftCents,
  readGivenCents,
  readLeftCents,
} from '../../payments/refunds.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { DISPUTED } from './refund.server.ts'
import { REFUND_REASONS } from './request.contract.ts'
import { saveRequests } from './request.server.ts'
import { type BuyerRefundOffer, getRefundOffer, takeRefund } from './selfRefund.contract.ts'
import { atOnceOf, describeWhyNot, type SelfFacts, whyNotNow } from './selfRefund.rules.ts'
import * as statements from './selfRefund.statements.server.ts'
import { readWanted } from './wanted.server.ts'
import { only } from '../../kit/values/required.ts'

const NOT_COMPLETED = new Failure(409, 'Only a completed order can be refunded.', 'not_completed')
const CHANGED = new Failure(409, 'What can be refunded has changed. Please look again.', 'refund_changed')

export const selfRefundRoutes = (checkout: Checkout): Route[] => [
  handle(getRefundOffer, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, async ({ id }, { user, db }) => {
    const order = await findOrder(db, id)
    if (order?.userId !== user.id) throw new Failure(404, 'Not found')
    return readOffer(checkout, db, order, payableOf(order, await paymentsOf(db, id)))
  }),

  handle(
    takeRefund,
    { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true }] },
    async (asked, { user, db }) =>
      inTransaction(db, async (tx) => {
        const order = await lockOrder(tx, asked.id)
        if (order?.userId !== user.id) throw new Failure(404, 'Not found')
        const payments = await lockPaymentsOf(tx, order.id)
        const known = await findTaken(tx, order.id, copiesOf(asked, await linesOf(tx, order.id)))
        if (known) return known
        return take(tx, checkout, order, payableOf(order, payments), asked)
      }),
  ),
]

function payableOf(order: OrderRow, payments: Payment[]): Payment {
  const payment = payments.find(({ status }) => status === 'captured' || status === 'part_refunded')
  if (order.status !== 'completed' || !payment) throw NOT_COMPLETED
  return payment
}

type RefundedCopies = { orderLineId: string; quantity: number }[]

const copiesOf = (
  { lineIds, copies = [] }: Pick<Taking, 'lineIds' | 'copies'>,
  bought: OrderLineRow[],
): RefundedCopies =>
  [...new Set(lineIds)].map((id) => {
    const line = bought.find((one) => one.id === id)
    if (!line) throw new Failure(404, 'Not found')
    return { orderLineId: id, quantity: copies.find((one) => one.id === id)?.copies ?? line.quantity }
  })

type Taking = {
  lineIds: string[]
  copies?: { id: string; copies: number }[] | undefined
  reason: keyof typeof REFUND_REASONS
  note: string
  total: string
}

async function take(tx: Tx, checkout: Checkout, order: OrderRow, payment: Payment, asked: Taking) {
  await statements.lockBuyer(tx, { userId: order.userId })
  const offer = await readOffer(checkout, tx, order, payment)
  const lines = copiesOf(asked, await linesOf(tx, order.id))
  for (const { orderLineId, quantity } of lines) {
    const offered = offer.lines.find(({ id }) => id === orderLineId)
    if (!offered) throw CHANGED
    if (quantity > offered.atOnce)
      throw new Failure(409, describeWhyNot(offered.whyNot ?? 'look', offer.days), 'not_at_once')
  }
  const { lines: named, ...cents } = await readWanted(tx, order, payment, { lines })
  const totalCents = cents.amountCents + cents.creditCents
  if (totalCents !== toCents(asked.total)) throw CHANGED
  const { reason, note } = asked
  const by = { askedBy: order.userId, isByBuyer: true }
  const refund = await insertRefund(
    tx,
    { paymentId: payment.id, ...cents, reason: REFUND_REASONS[reason], ...by },
    named,
  )
  if ((await readGivenCents(tx, payment.id)) > checkout.config.refundApprovalAboveCents)
    throw new Failure(409, describeWhyNot('look', offer.days), 'not_at_once')
  // open until the refund succeeds: staff find the request if the provider rejects it
  await saveRequests(
    tx,
    order.id,
    lines.map(({ orderLineId }) => orderLineId),
    { reason, note },
  )
  return { id: refund.id, status: refund.status, total: toDecimal(totalCents) }
}

async function findTaken(tx: Tx, orderId: string, lines: RefundedCopies) {
  const [taken] = await statements.findTaken(tx, { orderId, copies: JSON.stringify(lines) })
  return taken && { id: taken.id, status: taken.status, total: toDecimal(taken.cents) }
}

async function readOffer(
  checkout: Checkout,
  db: Db | Tx,
  order: OrderRow,
  payment: Payment,
): Promise<BuyerRefundOffer> {
  if (await findOpenDispute(db, payment.id)) throw DISPUTED
  const { selfRefundDays: days, refundApprovalAboveCents } = checkout.config
  const standing = only(await statements.readStanding(db, { orderId: order.id }))
  const isDoubtful = standing.lostDisputes > 0 || (await checkout.risk.isPaused(db, order.userId))
  const bought = await linesOf(db, order.id)
  const declined = await readDeclined(db, order.id)
  const isCredit = payment.provider === CREDIT
  const left = (await readLeftLines(db, order.id)).filter(
    ({ grossCents, returnedCents, returnedQuantity, quantity }) =>
      returnedCents < grossCents && returnedQuantity < quantity,
  )
  const uses = await readLineUses(
    db,
    order.id,
    left.map(({ orderLineId: id, quantity, returnedQuantity }) => ({ id, copies: quantity - returnedQuantity })),
  )
  const lines = left.flatMap(({ orderLineId: id, grossCents, returnedCents, returnedQuantity, quantity }) => {
    const use = uses.get(id)
    if (!use) return []
    const facts: SelfFacts = {
      days,
      ...standing,
      copies: quantity - returnedQuantity,
      unopened: use.unopened,
      isUsed: use.isUsed,
      isUntouched: returnedCents === 0 && returnedQuantity === 0,
      isDeclined: declined.has(id),
      isOwn: bought.some((one) => one.id === id && one.sellerId === order.userId),
      isDoubtful,
      isLarge: grossCents > refundApprovalAboveCents,
    }
    return [
      {
        ...{ id, amount: toDecimal(grossCents - returnedCents), paid: toDecimal(grossCents) },
        ...{ quantity, returned: returnedQuantity, claimed: use.claimed },
        ...{ atOnce: atOnceOf(facts), whyNot: whyNotNow(facts) },
      },
    ]
  })
  const leftCents = await readLeftCents(db, payment)
  const creditCents = isCredit ? 0 : await readCreditLeftCents(db, payment, order)
  if (leftCents + creditCents <= 0) throw CHANGED
  return {
    paid: toDecimal(payment.amountCents),
    left: toDecimal(leftCents),
    credit: toDecimal(creditCents),
    bonus: toDecimal(await bonusOf(db, order.id)),
    to: payment.provider,
    ...(payment.card && { card: payment.card }),
    days,
    lines,
  }
}

async function readDeclined(db: Db | Tx, orderId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('refundRequests')
    .select('orderLineId')
    .where('orderId', '=', orderId)
    .where('state', '=', 'declined')
    .execute()
  return new Set(rows.map((row) => row.orderLineId))
}
