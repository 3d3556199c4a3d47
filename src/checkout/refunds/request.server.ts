import { recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { lockOrder } from '../../orders/orders.server.ts'
import type { Checkout } from '../context.server.ts'
import { mailBuyer } from '../receipt.server.ts'
import { declineRefund, requestRefund } from './request.contract.ts'

const NOT_COMPLETED = new Failure(409, 'Only a completed order can be refunded.', 'not_completed')
const ANSWERED = new Failure(409, 'We have answered this request. Please message us.', 'request_answered')
const NONE_OPEN = new Failure(409, 'No request of this order is open.', 'no_request')

/** Refunds that buyers ask for, and the answer of staff who decline. */
export const refundRequestRoutes = (checkout: Checkout): Route[] => [
  handle(
    requestRefund,
    { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true }] },
    async ({ id, lineId, reason, note }, { user, db }) => {
      await inTransaction(db, async (tx) => {
        const order = await lockOrder(tx, id)
        if (order?.userId !== user.id || !(await hasLine(tx, id, lineId))) throw new Failure(404, 'Not found')
        if (order.status !== 'completed') throw NOT_COMPLETED
        const saved = await tx
          .insertInto('refundRequests')
          .values({ orderLineId: lineId, orderId: id, reason, note })
          .onConflict((conflict) =>
            conflict.column('orderLineId').doUpdateSet({ reason, note }).where('refundRequests.state', '=', 'open'),
          )
          .returning('orderLineId')
          .executeTakeFirst()
        if (!saved) throw ANSWERED
      })
      return { lineId }
    },
  ),

  handle(
    declineRefund,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async ({ id, answer }, { user, db }) => {
      await inTransaction(db, async (tx) => {
        const order = await lockOrder(tx, id)
        if (!order) throw new Failure(404, 'Not found')
        if ((await answerRequests(tx, id, 'declined', answer)) === 0) throw NONE_OPEN
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

async function hasLine(tx: Tx, orderId: string, lineId: string): Promise<boolean> {
  const line = tx.selectFrom('orderLines').select('id').where('id', '=', lineId).where('orderId', '=', orderId)
  return (await line.executeTakeFirst()) !== undefined
}

/** Empties what an erased member wrote. */
export const forgetRequestsOf = (tx: Tx, userId: string) =>
  tx
    .updateTable('refundRequests')
    .set({ note: '' })
    .where('orderId', 'in', tx.selectFrom('orders').select('id').where('userId', '=', userId))
    .execute()

/** Closes the open requests of a locked order; answers their number. */
export async function answerRequests(tx: Tx, orderId: string, state: 'granted' | 'declined', answer?: string) {
  const answered = await tx
    .updateTable('refundRequests')
    .set({ state, answer: answer ?? null, answeredAt: now })
    .where('orderId', '=', orderId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return Number(answered.numUpdatedRows)
}
