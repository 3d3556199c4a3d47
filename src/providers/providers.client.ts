import { PAYPAL } from '../payments/methods.ts'
import type { BrowserProvider } from '../payments/provider.ts'

const HALVES: Record<string, () => Promise<BrowserProvider>> = {
  [PAYPAL]: () => import('./paypal/paypal.client.ts').then(({ loadPaypal }) => loadPaypal()),
}

export async function loadProvider(name: string): Promise<BrowserProvider> {
  const load = HALVES[name]
  if (!load) throw new Error(`${name} has no window`)
  return load()
}
