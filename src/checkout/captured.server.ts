import type { Db } from '../kit/database.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { findPayment, findPaymentByCapture, hasEnded, type Payment } from '../payments/payments.store.server.ts'
import { isSettled } from './judge.rules.ts'

/**
 * Finds the payment of a capture in a refund or dispute event. Undefined if the shop has no such payment. Throws until
 * the payment is settled, so that the job retries: events can arrive before the capture's result.
 */
export async function findCaptured(
  db: Db,
  { captureRef, paymentId }: { captureRef: string; paymentId: string | null },
): Promise<Payment | undefined> {
  const known = await findPaymentByCapture(db, captureRef)
  if (known) return known
  const named = paymentId !== null && isUuid(paymentId) ? await findPayment(db, paymentId) : undefined
  if (named && !isSettled(named.status) && !hasEnded(named)) throw new Error('the payment is not settled yet')
  return undefined
}
