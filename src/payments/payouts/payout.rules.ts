import { usd } from '../../localisation/usd.rules.ts'

export type Method = 'paypal' | 'bank'
export type PayoutState = 'requested' | 'approved' | 'processing' | 'sent' | 'failed' | 'returned'
export type Schedule = 'request' | 'monthly'

export const isOpen = (state: PayoutState) => state === 'requested' || state === 'approved' || state === 'processing'

export type Facts = {
  now: Date
  availableCents: number
  minimumCents: number
  reviewDays: number
  details: {
    method: Method
    waitsUntil: Date | null
    rejection: string | null
    schedule: Schedule
    monthlyAt: Date
  } | null
  isSuspended: boolean
  open: { state: PayoutState; amountCents: number; createdAt: Date; reason: string | null } | null
}

export type HoldCode =
  'details_missing' | 'details_rejected' | 'suspended' | 'details_new' | 'below_minimum' | 'late' | 'review'
/** `todo` is the action that the seller must take. Null: the seller can only wait. */
export type Hold = { code: HoldCode; why: string; todo: { label: string; href: string } | null }

export type NextPayout = {
  kind: 'open' | 'scheduled' | 'request'
  /** Null: the seller requests each payout. */
  at: Date | null
  amountCents: number
  hold: Hold | null
}

const DAY_MS = 24 * 3600_000
const CORRECT = { label: 'Correct your payout details', href: '/balance#details' }

export function holdOf({ now, details, isSuspended }: Pick<Facts, 'now' | 'details' | 'isSuspended'>): Hold | null {
  if (isSuspended)
    return {
      code: 'suspended',
      why: 'You can’t sell for now, so payouts wait. The money stays yours.',
      todo: { label: 'Message us', href: '/help' },
    }
  if (!details)
    return {
      code: 'details_missing',
      why: 'We don’t know where to send it.',
      todo: { label: 'Add payout details', href: '/balance#details' },
    }
  if (details.rejection)
    return { code: 'details_rejected', why: describeFailure(details.method, details.rejection), todo: CORRECT }
  if (details.waitsUntil && details.waitsUntil > now)
    return {
      code: 'details_new',
      why: 'Your payout details are new. For safety, payouts wait 24 hours.',
      todo: null,
    }
  return null
}

export const monthAfter = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))

const later = (one: Date, other: Date | null | undefined) => (other && other > one ? other : one)

export function nextPayout(facts: Facts): NextPayout {
  const { now, availableCents, minimumCents, reviewDays, details, open } = facts
  const hold = holdOf(facts)
  if (open) {
    const due = later(new Date(open.createdAt.getTime() + reviewDays * DAY_MS), details?.waitsUntil)
    const amountCents = open.amountCents
    if (open.state === 'requested' && hold) return { kind: 'open', at: due, amountCents, hold }
    return { kind: 'open', at: due, amountCents, hold: slowness(open, due < now) }
  }
  const isShort = availableCents < minimumCents
  const missing = isShort ? shortage(availableCents, minimumCents) : null
  const amountCents = Math.max(0, availableCents)
  if (details?.schedule !== 'monthly') return { kind: 'request', at: null, amountCents, hold: hold ?? missing }
  const due = monthAfter(details.monthlyAt)
  // a payout that was held is late; it follows once nothing holds it
  return { kind: 'scheduled', at: later(later(due, now), details.waitsUntil), amountCents, hold: hold ?? missing }
}

const shortage = (availableCents: number, minimumCents: number): Hold => ({
  code: 'below_minimum',
  why:
    availableCents < 0
      ? `Refunds took more than you earned. Your next sales pay ${usd(-availableCents)} back first.`
      : `Payouts start at ${usd(minimumCents)}. ${usd(minimumCents - availableCents)} more and it can go out.`,
  todo: null,
})

function slowness(open: NonNullable<Facts['open']>, isLate: boolean): Hold | null {
  if (open.state === 'processing' && open.reason)
    return { code: 'review', why: 'The payment provider is reviewing it. You need not do anything.', todo: null }
  return isLate ? { code: 'late', why: 'We are later than we promised. You need not do anything.', todo: null } : null
}

const PROVIDER_WORD = /^[A-Z_]+$/
const PROVIDER_WORDS: [RegExp, string][] = [
  [/UNREGISTERED|UNCLAIMED|^RETURNED$/, 'No PayPal account takes payments at your address.'],
  [/UNCONFIRMED/, 'Your PayPal account has not confirmed this address.'],
  [/LOCKED|RESTRICTED|BLOCKED/, 'PayPal has limited the account with this address.'],
  [/COUNTRY|CURRENCY/, 'PayPal does not pay US dollars to your account’s country.'],
  [PROVIDER_WORD, 'PayPal refused your address for payouts.'],
]

export function describeFailure(method: Method, reason: string): string {
  if (method === 'bank') return `The bank refused your account: ${reason}`
  return PROVIDER_WORDS.find(([word]) => word.test(reason))?.[1] ?? reason
}

export function describeEnd(
  method: Method | null,
  reason: string | null,
  cause: 'details' | 'shop' | null,
): string | null {
  if (!reason) return null
  if (cause === 'shop' && PROVIDER_WORD.test(reason))
    return 'Our side failed, not yours. The money is in your balance and goes out with your next payout.'
  return method && cause === 'details' ? describeFailure(method, reason) : reason
}
