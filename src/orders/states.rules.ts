export const ORDER_STATUSES = ['pending', 'completed', 'failed', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const REASON_CODES = [
  'placed',
  'paid',
  'free',
  'gift',
  'claimed',
  'canceled_by_buyer',
  'expired',
  'sold_out',
  'start_failed',
  'risk_refused',
  'risk_refused_paid',
  'declined',
  'refunded_at_provider',
  'amount_mismatch',
  'payment_unusable',
  'refunded',
  'other',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]

/** Reasons of orders that failed after a capture, which the shop refunds. */
export const REFUNDING: ReasonCode[] = [
  'risk_refused_paid',
  'refunded_at_provider',
  'amount_mismatch',
  'payment_unusable',
]

export const endedStatus = <S extends string>(status: S, code: ReasonCode | undefined): S | 'canceled' =>
  status === 'failed' && code === 'canceled_by_buyer' ? 'canceled' : status
