import { loadPaypal } from './paypal/paypal.client.ts'
import type { NextStep } from './provider.ts'

/** The reply of the call that starts a payment. */
export type Started = { id: string; orderId: string; next: NextStep }

export type Endings = {
  approve: (providerOrderId: string) => Promise<void>
  giveUp: (providerOrderId: string) => Promise<void>
}

/** A provider's half in the browser. */
export type BrowserProvider = {
  mode: 'sandbox' | 'live'
  /** Leads the buyer through the payment. Must run in the click, before the payment has started. */
  open: (started: Promise<Started>, endings: Endings) => Promise<void>
}

/** The provider that takes new payments. */
export const loadProvider: () => Promise<BrowserProvider> = loadPaypal
