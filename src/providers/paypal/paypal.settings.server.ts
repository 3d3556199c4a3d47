import { z } from 'zod'
import { type Config, flag, type Given, needAll } from '../../kit/config.server.ts'
import { operatorFailure } from '../../kit/failure.ts'

export const PAYPAL_SETTINGS = {
  PAYPAL_CLIENT_ID: z.string().min(1).optional().describe("the provider's client id"),
  PAYPAL_CLIENT_SECRET: z.string().min(1).optional().describe("the provider's client secret"),
  PAYPAL_WEBHOOK_ID: z.string().min(1).optional().describe('the id the provider gave the webhook'),
  PAYPAL_ENVIRONMENT: z.enum(['live', 'sandbox']).default('sandbox').describe('live or sandbox'),
  PAYMENTS_SANDBOX: flag.optional().describe('1 to use the built-in payment sandbox, 0 to do without'),
}

export type PaypalConfig = ReturnType<typeof resolvePaypal>

export function resolvePaypal(
  given: Given<typeof PAYPAL_SETTINGS>,
  { mode, hasOther }: Pick<Config, 'mode'> & { hasOther: boolean },
) {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = given
  const { PAYPAL_ENVIRONMENT: environment, PAYMENTS_SANDBOX: isSandboxWanted } = given
  // the sandbox sells goods for play money, so one missing credential must not enable it
  needAll(given, ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET'])
  if (hasOther && isSandboxWanted) throw refuseBeside('STRIPE_SECRET_KEY')
  if (!clientId || !clientSecret)
    return { isSandboxOn: !hasOther && (isSandboxWanted ?? mode !== 'production'), paypal: undefined }
  if (environment === 'live' && !webhookId)
    throw operatorFailure('PAYPAL_WEBHOOK_ID: not set; live payments need the id PayPal gave the webhook.')
  if (isSandboxWanted) throw refuseBeside('PAYPAL_CLIENT_ID')
  return { isSandboxOn: false, paypal: { clientId, clientSecret, webhookId, environment } }
}

const refuseBeside = (name: string) =>
  operatorFailure(`PAYMENTS_SANDBOX: the built-in sandbox refuses to run beside ${name}; leave one of them out.`)
