import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { findPayment, lockPaymentsOf } from '../../payments/payments.store.server.ts'
import {
  changeRefund,
  findRefund,
  findRefundAtProvider,
  lockRefund,
  type Refund,
} from '../../payments/refunds.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { book } from './book.server.ts'
import { settleRefund } from './refund.contract.ts'
import { required } from '../../kit/values/required.ts'

const OVER = new Failure(409, 'This refund is over already.', 'refund_over')
const TOO_SOON = new Failure(
  409,
  'The shop still asks the payment provider about this refund. Settle it when that has failed for more than five hours.',
  'too_soon',
)
const EXPLAINED = new Failure(
  409,
  'The payment provider knows this refund and says what becomes of it, or staff send it from the queue of transfers.',
  'provider_knows',
)
const KNOWN = new Failure(409, 'Another refund has this reference.', 'reference_known')

/** Providers store idempotency keys this long, plus a delay until their records are complete. */
const MEMORY_MINUTES = 5 * 60 + 15

type Settling = { id: string; isMade: boolean; reference?: string | undefined; reason: string }

export const settleRefundRoute = (checkout: Checkout): Route =>
  handle(
    settleRefund,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async (asked, { user, db }) => {
      if (asked.isMade && !asked.reference)
        throw new Failure(400, 'reference: Give the refund’s id at the provider.', 'invalid', {
          details: { field: 'reference' },
        })
      const status = await inTransaction(db, (tx) => settle(tx, checkout, user.id, asked))
      return { id: asked.id, status }
    },
  )

async function settle(tx: Tx, checkout: Checkout, staffId: string, { id, isMade, reference, reason }: Settling) {
  const known = await findRefund(tx, id)
  const paid = known && (await findPayment(tx, known.paymentId))
  if (!known || !paid) throw new Failure(404, 'Not found')
  const order = required(await lockOrder(tx, paid.orderId), 'the order')
  if (order.userId === staffId) throw OWN_PURCHASE
  const payment = required(
    (await lockPaymentsOf(tx, order.id)).find((one) => one.id === paid.id),
    'the payment',
  )
  const refund = await lockRefund(tx, id)
  if (refund.status !== 'requested') throw OVER
  if (refund.providerRefundId !== null) throw EXPLAINED
  if (known.ageMinutes < MEMORY_MINUTES) throw TOO_SOON
  if (isMade && (await findRefundAtProvider(tx, required(reference, 'the reference of the refund')))) throw KNOWN
  await changeRefund(tx, id, { settledBy: staffId })
  if (isMade) await book(tx, checkout, order, payment, refund, required(reference, 'the reference of the refund'))
  else await changeRefund(tx, id, { status: 'failed', refusal: `${SETTLED}: ${reason}`.slice(0, 200) })
  const details = {
    ...{ amount: usd(refund.amountCents), as: isMade ? 'made' : 'not made', reason, refund: id },
    ...(isMade && { reference: required(reference, 'the reference of the refund') }),
  }
  await recordAct(tx, { actorId: staffId, act: 'order.refund_settled', subjectId: order.id, details })
  const { status } = (await findRefund(tx, id)) as Refund
  return status
}

/** First word of the failure text of a refund that staff settled as not made. */
const SETTLED = 'SETTLED'
