import type { ReasonCode } from './states.rules.ts'

export const WHY_FAILED: Partial<Record<ReasonCode, string>> = {
  canceled_by_buyer: 'You canceled the order.',
  expired: 'The time to pay ran out.',
  sold_out: 'It sold out before the payment went through.',
  start_failed: 'The payment couldn’t be started.',
  risk_refused: 'The payment wasn’t accepted, and you weren’t charged.',
  risk_refused_paid: 'The payment wasn’t accepted. You’ll be refunded in full.',
  declined: 'The payment provider declined the payment.',
  refunded_at_provider: 'The payment provider refunded your payment.',
  amount_mismatch: 'The payment didn’t match the order, so it’s being refunded.',
  payment_unusable: 'The payment didn’t match the order, so it’s being refunded.',
}

export const STAFF_REASONS: Record<ReasonCode, string> = {
  placed: 'placed',
  paid: 'paid',
  free: 'free',
  gift: 'gift',
  claimed: 'claimed a gift',
  canceled_by_buyer: 'canceled by the buyer',
  expired: 'expired',
  sold_out: 'sold out',
  start_failed: 'the payment could not be started',
  risk_refused: 'the payment was refused by the risk rules or by staff',
  risk_refused_paid: 'the payment was refused by the risk rules or by staff, and is refunded',
  declined: 'declined by the payment provider',
  refunded_at_provider: 'refunded at the payment provider',
  amount_mismatch: 'the payment had another amount, and is refunded',
  payment_unusable: 'the payment could not be used, and is refunded',
  refunded: 'refunded',
  other: 'other',
}
