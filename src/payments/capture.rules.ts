// What the provider says about an order, and what it means for our payment. Pure.

export type ProviderCapture = {
  id: string
  status: string
  amountCents: number
  currency: string
  customId: string | undefined
}
export type ProviderOrder = {
  id: string
  status: string
  capture: ProviderCapture | null
  payerEmail: string | undefined
  vaultId: string | undefined
}

export type Judged = {
  id: string
  status: string
  amountCents: number
  currency: string
  providerOrderId: string | null
}
export type Verdict =
  | { kind: 'settled' }
  | { kind: 'waiting' }
  | { kind: 'declined'; reason: string }
  | { kind: 'mismatched'; capture: ProviderCapture; reason: string }
  | { kind: 'paid'; capture: ProviderCapture }

/** Once money has come of a payment nothing more can. */
export const isSettled = (status: string) => SETTLED.has(status)

const SETTLED = new Set(['captured', 'refunded', 'part_refunded', 'mismatched'])

/** Only a COMPLETED capture of exactly this payment, amount and currency is money; a PENDING one is a promise. */
export function judgeCapture(payment: Judged, told: ProviderOrder): Verdict {
  if (isSettled(payment.status)) return { kind: 'settled' }
  const { capture } = told
  if (!capture || capture.status === 'PENDING') return { kind: 'waiting' }
  // REFUNDED before we ever settled: given back at the provider's own desk
  if (/^(DECLINED|FAILED|REFUNDED)$/.test(capture.status))
    return { kind: 'declined', reason: `capture ${capture.status}` }
  // PARTIALLY_REFUNDED was COMPLETED before: the whole was paid, and a part given back at the provider's own desk
  if (capture.status !== 'COMPLETED' && capture.status !== 'PARTIALLY_REFUNDED') return { kind: 'waiting' }
  const mismatch = findMismatch(payment, told, capture)
  return mismatch ? { kind: 'mismatched', capture, reason: mismatch } : { kind: 'paid', capture }
}

function findMismatch(payment: Judged, told: ProviderOrder, capture: ProviderCapture): string | null {
  if (payment.providerOrderId !== null && payment.providerOrderId !== told.id)
    return `another order at the provider: ${told.id}`
  if (capture.customId !== payment.id) return 'the capture names another payment'
  if (capture.currency !== payment.currency) return `captured in ${capture.currency}`
  if (capture.amountCents !== payment.amountCents)
    return `captured ${capture.amountCents} cents instead of ${payment.amountCents}`
  return null
}
