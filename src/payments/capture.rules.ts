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
  payerId: string | undefined
  payerEmail: string | undefined
  /** Who pays, where the provider told it. */
  payer?: { country: string | undefined; isVerified: boolean | undefined }
  vaultId: string | undefined
}

export type Judged = {
  id: string
  status: string
  amountCents: number
  currency: string
  providerOrderId: string | null
  /** Ids of its captures that are known to have been declined. */
  declinedCaptures: string[]
}
export type Verdict =
  | { kind: 'settled' }
  | { kind: 'waiting' }
  | { kind: 'declined'; reason: string }
  /** Taken and given back at the provider's own desk before we ever settled: nobody was declined, and nothing is left. */
  | { kind: 'givenBack' }
  | { kind: 'mismatched'; capture: ProviderCapture; reason: string }
  | { kind: 'paid'; capture: ProviderCapture }

/** Once money has come of a payment nothing more can. */
export const isSettled = (status: string) => SETTLED.has(status)

const SETTLED = new Set(['captured', 'refunded', 'part_refunded', 'mismatched'])

/** Whether nothing was taken by it, for good. */
export const isDeclined = ({ status }: Pick<ProviderCapture, 'status'>) => /^(DECLINED|FAILED)$/.test(status)

/** Of several captures of one order the one that counts: money if there is any, otherwise the last. */
export const weightiest = <C extends Pick<ProviderCapture, 'status'>>(captures: C[]): C | undefined =>
  captures.findLast((capture) => !isDeclined(capture)) ?? captures.at(-1)

/** Late news of an earlier try, while another is under way: it says nothing of that one. */
export const isOldNews = (
  { status, declinedCaptures }: Pick<Judged, 'status' | 'declinedCaptures'>,
  capture: ProviderCapture | null,
) => capture !== null && status === 'capturing' && isDeclined(capture) && declinedCaptures.includes(capture.id)

/** Only a COMPLETED capture of exactly this payment, amount and currency is money; a PENDING one is a promise. */
export function judgeCapture(payment: Judged, told: ProviderOrder): Verdict {
  if (isSettled(payment.status)) return { kind: 'settled' }
  const { capture } = told
  if (!capture || capture.status === 'PENDING' || isOldNews(payment, capture)) return { kind: 'waiting' }
  if (capture.status === 'REFUNDED') return { kind: 'givenBack' }
  if (isDeclined(capture)) return { kind: 'declined', reason: `capture ${capture.status}` }
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
