import type { Captured, Declined, Outcome } from '../payments/outcome.ts'

export type Judged = {
  id: string
  status: string
  amountCents: number
  currency: string
  providerOrderId: string | null
  isLeased: boolean
  /** A verified capture that risk holds. */
  providerCaptureId: string | null
  declinedCaptures: string[]
}
export type Verdict =
  | { kind: 'settled' }
  | { kind: 'waiting' }
  | { kind: 'declined'; outcome: Declined }
  /** The provider returned the whole amount before it was settled. */
  | { kind: 'returned' }
  | { kind: 'lapsed' }
  | { kind: 'mismatched'; outcome: Captured; reason: string }
  | { kind: 'paid'; outcome: Captured }

const SETTLED = new Set(['captured', 'refunded', 'part_refunded', 'mismatched'])

/** Checks that the payment took its money and accepts no more. */
export const isSettled = (status: string) => SETTLED.has(status)

const WAITING: Verdict = { kind: 'waiting' }

/** Evaluates an outcome. `isAnswer`: it replies to this payment's request. Others can be about an earlier try. */
export function judge(payment: Judged, outcome: Outcome, isAnswer = false): Verdict {
  if (isSettled(payment.status)) return { kind: 'settled' }
  if (outcome.kind === 'declined') return isStale(payment, outcome, isAnswer) ? WAITING : { kind: 'declined', outcome }
  if (outcome.kind === 'gone')
    return isLocked(payment, isAnswer) || payment.providerCaptureId !== null ? WAITING : { kind: 'lapsed' }
  if (outcome.kind !== 'captured') return WAITING
  if (outcome.isReturned) return { kind: 'returned' }
  const reason = findMismatch(payment, outcome)
  return reason === null ? { kind: 'paid', outcome } : { kind: 'mismatched', outcome, reason }
}

/** During a capture, only the reply to its request may end it without money. */
const isLocked = ({ isLeased }: Judged, isAnswer: boolean) => isLeased && !isAnswer

const isStale = (payment: Judged, { captureRef }: Declined, isAnswer: boolean) =>
  isLocked(payment, isAnswer) ||
  (!isAnswer && payment.status === 'capturing' && captureRef !== null && payment.declinedCaptures.includes(captureRef))

function findMismatch(payment: Judged, { ref, paymentId, currency, amountCents }: Captured): string | null {
  if (payment.providerOrderId !== null && payment.providerOrderId !== ref)
    return `another order at the provider: ${ref}`
  if (paymentId !== payment.id) return 'the capture names another payment'
  if (currency !== payment.currency) return `captured in ${currency}`
  if (amountCents !== payment.amountCents) return `captured ${amountCents} cents instead of ${payment.amountCents}`
  return null
}
