import { recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { shortId } from '../../orders/number.rules.ts'
import { required } from '../../kit/values/required.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailBuyer } from '../../checkout/receipt.server.ts'
import { resendReceipt } from './sellerRefund.contract.ts'
import { findSale } from './sellerRefund.server.ts'

const CLOSED = new Failure(409, 'The buyer can’t open this now, so no mail was sent.', 'closed')

export const resendRoute = (checkout: Checkout): Route =>
  handle(
    resendReceipt,
    { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
    ({ id }, { user, db }) =>
      inTransaction(db, async (tx) => {
        const { orderId } = await findSale(tx, { id, sellerId: user.id })
        const order = required(await lockOrder(tx, orderId), 'the order')
        const { title, isOpen } = await findSale(tx, { id, sellerId: user.id })
        if (!isOpen) throw CLOSED
        const key = `receipt-again:${id}:${new Date().toISOString().slice(0, 10)}`
        const isStored = async () =>
          (await tx.selectFrom('mails').select('id').where('key', '=', key).executeTakeFirst()) !== undefined
        if (await isStored()) return { isSent: false }
        await mailBuyer(tx, checkout, order, {
          key,
          subject: `Your order ${shortId(order.id)}: ${title}`,
          lines: [`The seller of “${title}” sends you the link to it again.`, 'Sign in with this address to open it.'],
        })
        // an erased buyer gets no mail
        if (!(await isStored())) throw CLOSED
        await recordAct(tx, { actorId: user.id, act: 'order.resent', subjectId: order.id, details: { sale: id } })
        return { isSent: true }
      }),
  )
