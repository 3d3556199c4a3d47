import { recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { linesOf, lockOrder } from '../../orders/orders.store.server.ts'
import { paidCents } from '../../payments/line.rules.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailBuyer } from '../../checkout/receipt.server.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './refundRequests.statements.server.ts'
import { declineRefund, type RefundReason, requestRefund } from './request.contract.ts'

const NOT_COMPLETED = new Failure(409, 'Only a completed order can be refunded.', 'not_completed')
const NOTHING_PAID = new Failure(409, 'Nothing was paid for this, so nothing can be refunded.', 'nothing_paid')
const ANSWERED = new Failure(409, 'We have answered this request. Please message us.', 'request_answered')
const UNDER_WAY = new Failure(409, 'A refund of this order is under way. Wait for its end.', 'refund_under_way')
const NONE_OPEN = new Failure(409, 'No request of this order is open.', 'no_request')

export const refundRequestRoutes = (checkout: Checkout): Route[] => [
  handle(
    requestRefund,
    { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true }] },
    async ({ id, lineIds, reason, note }, { user, db }) => {
      await inTransaction(db, async (tx) => {
        const order = await lockOrder(tx, id)
        const lines = (await linesOf(tx, id)).filter((line) => lineIds.includes(line.id))
        if (order?.userId !== user.id || lines.length < new Set(lineIds).size) throw new Failure(404, 'Not found')
        if (order.status !== 'completed') throw NOT_COMPLETED
        if (lines.some((line) => paidCents(line) === 0)) throw NOTHING_PAID
        await saveRequests(
          tx,
          id,
          lines.map((line) => line.id),
          { reason, note },
        )
      })
      return { id }
    },
  ),

  handle(
    declineRefund,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async ({ id, answer }, { user, db }) => {
      await inTransaction(db, async (tx) => {
        const order = await lockOrder(tx, id)
        if (!order) throw new Failure(404, 'Not found')
        if (await isUnderWay(tx, id)) throw UNDER_WAY
        if ((await answerRequests(tx, id, 'declined', { answer })) === 0) throw NONE_OPEN
        await recordAct(tx, { actorId: user.id, act: 'order.declined', subjectId: id, details: { reason: answer } })
        await mailBuyer(tx, checkout, order, {
          key: `declined:${id}:${Date.now()}`,
          subject: `Your refund request for order ${id.slice(-8)}`,
          lines: ['We have looked at your request and can’t refund it.', `Reason: ${answer}`],
        })
      })
      return { id }
    },
  ),
]

export async function saveRequests(
  tx: Tx,
  orderId: string,
  lineIds: string[],
  asked: { reason: RefundReason; note: string },
) {
  const saved = await statements.saveRequests(tx, { orderId, lineIds, ...asked })
  if (saved.length < lineIds.length) throw ANSWERED
}

const isUnderWay = async (tx: Tx, orderId: string): Promise<boolean> =>
  only(await statements.readUnderWay(tx, { orderId })).isUnderWay

export const forgetRequestsOf = (tx: Tx, userId: string) =>
  tx
    .updateTable('refundRequests')
    .set({ note: '' })
    .where('orderId', 'in', tx.selectFrom('orders').select('id').where('userId', '=', userId))
    .execute()

export async function answerRequests(
  tx: Tx,
  orderId: string,
  state: 'granted' | 'declined',
  { lineIds, answer }: { lineIds?: string[]; answer?: string } = {},
) {
  const answered = await tx
    .updateTable('refundRequests')
    .set({ state, answer: answer ?? null, answeredAt: now })
    .where('orderId', '=', orderId)
    .where('state', '=', 'open')
    .$call((query) => (lineIds !== undefined ? query.where('orderLineId', 'in', lineIds) : query))
    .executeTakeFirst()
  return Number(answered.numUpdatedRows)
}
