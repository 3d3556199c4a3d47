import type { Db } from '../kit/database.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { findPayment, findPaymentByCapture, hasEnded, type Payment } from '../payments/payments.store.server.ts'
import { isSettled } from './judge.rules.ts'

/**
 * The payment of a capture that a refund or a dispute names; undefined when it is none of the shop's. Throws while that payment is not
 * settled, so that the job retries: events arrive in any order, and a provider that takes the money by itself is often first.
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
