import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

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

export const ProviderMode = z.enum(['sandbox', 'live'])

export type PaymentSetup = z.infer<typeof PaymentSetup>
export const PaymentSetup = z.object({
  clientToken: z.string(),
  environment: ProviderMode,
  scriptUrl: z.string(),
  expiresAt: z.string(),
})

export const getPaymentSetup = endpoint('GET /setup', {
  access: 'member',
  about: "A client token for the payment provider's browser script. Valid for minutes; do not keep it.",
  reply: PaymentSetup,
})
