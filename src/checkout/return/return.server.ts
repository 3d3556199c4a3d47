import { Failure } from '../../kit/failure.ts'
import type { Reply } from '../../kit/contract.ts'
import { findOrder } from '../../orders/orders.store.server.ts'
import { findPayment, isOpen, type Payment } from '../../payments/payments.store.server.ts'
import type { settleReturn } from '../checkout.contract.ts'
import type { Checkout } from '../context.server.ts'
import { isSettled } from '../judge.rules.ts'
import { cancelOrder, capture } from '../pay.server.ts'
import { settle } from '../settle.server.ts'
import { required } from '../../kit/values/required.ts'

// The buyer returns from a provider's page. The webhook and the reconciler settle payments of those who never do.

type Status = Reply<typeof settleReturn>['status']

/** Reads the payment from the provider and settles it. The caller has checked its owner. */
export async function settleReturned(checkout: Checkout, payment: Payment): Promise<Status> {
  // settled, or another request holds the lease
  if (payment.isLeased || isSettled(payment.status)) return statusOf(checkout, payment)
  const outcome = await checkout.providers.named(payment.provider).find(payment)
  if (outcome.kind === 'approved' && (isOpen(payment) || payment.status === 'capturing'))
    return capture(checkout, payment, { isByBuyer: true })
  if (outcome.kind === 'captured' || outcome.kind === 'declined' || outcome.kind === 'gone')
    await settle(checkout, payment.id, payment.orderId, outcome)
  if (outcome.kind === 'pending' || outcome.kind === 'partial') return 'PENDING'
  return statusOf(checkout, payment, outcome.kind === 'captured')
}

export async function cancelReturned(checkout: Checkout, userId: string, payment: Payment): Promise<Status> {
  if (isOpen(payment)) {
    try {
      await cancelOrder(checkout, userId, payment.orderId, 'canceled_by_buyer')
    } catch (error) {
      // money moved first, so the order shows the result
      if (!(error instanceof Failure && error.status === 409)) throw error
    }
  }
  return statusOf(checkout, payment)
}

async function statusOf({ db }: Checkout, { id, orderId }: Payment, isPaid = false): Promise<Status> {
  const [order, payment] = [
    required(await findOrder(db, orderId), 'the order'),
    required(await findPayment(db, id), 'the payment'),
  ]
  if (order.status === 'completed' || order.status === 'refunded') return 'COMPLETED'
  if (order.status === 'failed') return 'ENDED'
  if (isPaid || payment.status === 'capturing') return 'PENDING'
  if (payment.status === 'declined') return 'DECLINED'
  return isOpen(payment) ? 'WAITING' : 'ENDED'
}
