import { loadPaypal } from './paypal/paypal.client.ts'
import type { BrowserProvider } from './provider.ts'
import { STRIPE } from './stripe/stripe.ts'

/** The provider that takes new payments. */
export const loadProvider: () => Promise<BrowserProvider> = loadPaypal

/** The browser's half of a provider. */
export const loadProviderNamed = async (name: string): Promise<BrowserProvider> =>
  name === STRIPE ? (await import('./stripe/stripe.client.ts')).loadStripe() : loadProvider()
