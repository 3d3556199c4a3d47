import { z } from 'zod'
import { type Given, needAll } from '../../kit/config.server.ts'

export const STRIPE_SETTINGS = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/)
    .optional()
    .describe("Stripe's secret or restricted key, such as sk_live_... or rk_test_..."),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/)
    .optional()
    .describe('the signing secret that Stripe shows for the webhook, such as whsec_...'),
}

export type StripeConfig = ReturnType<typeof resolveStripe>

export function resolveStripe(given: Given<typeof STRIPE_SETTINGS>) {
  needAll(given, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = given
  if (!secretKey || !webhookSecret) return { stripe: undefined }
  const mode = /^.k_live_/.test(secretKey) ? ('live' as const) : ('sandbox' as const)
  return { stripe: { secretKey, webhookSecret, mode } }
}
