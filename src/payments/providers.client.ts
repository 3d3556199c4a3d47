import { loadPaypal } from './paypal/paypal.client.ts'
import type { BrowserProvider } from './provider.ts'

/** The provider that takes new payments. */
export const loadProvider: () => Promise<BrowserProvider> = loadPaypal
