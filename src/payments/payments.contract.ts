import * as z from 'zod/mini'

export const PAYMENT_STATUSES = [
  'creating',
  'created',
  'capturing',
  'captured',
  'declined',
  'canceled',
  'expired',
  'failed',
  'mismatched',
  'refunded',
  'part_refunded',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** The first payment provider's name as orders and paymentIds carry it. */
export const PAYPAL = 'paypal'

export const ProviderMode = z.enum(['sandbox', 'live'])
