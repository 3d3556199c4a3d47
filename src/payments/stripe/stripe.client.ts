import { call } from '../../kit/call.client.ts'
import { listIntegrations } from '../integrations.contract.ts'
import type { BrowserProvider } from '../provider.ts'
import { STRIPE } from './stripe.ts'

/** Stripe's half in the browser: the buyer leaves for Stripe's page and comes back to the shop's return page. */
export async function loadStripe(): Promise<BrowserProvider> {
  const own = (await call(listIntegrations, {})).find(({ id }) => id === STRIPE)
  return {
    mode: own?.isSandbox ? 'sandbox' : 'live',
    open: async (started) => {
      const { next } = await started
      if (next.kind !== 'page') throw new Error(`a payment page was expected, not a ${next.kind}`)
      location.assign(next.url)
      // the button stays busy until the browser leaves, or shows this page again from its cache
      await new Promise<void>((resolve) => addEventListener('pageshow', () => resolve(), { once: true }))
    },
  }
}
