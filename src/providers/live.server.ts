import type { ProviderContext } from './openProvider.server.ts'
import { isTestNetwork } from './usdc/units.rules.ts'

export type ProviderSettings = Pick<ProviderContext['config'], 'paypal' | 'stripe' | 'usdc'>

/** The configured providers that take real money. */
export const findLiveProviders = ({ paypal, stripe, usdc }: ProviderSettings): string[] => [
  ...(paypal?.environment === 'live' ? ['PayPal'] : []),
  ...(stripe?.mode === 'live' ? ['Stripe'] : []),
  ...(usdc && !isTestNetwork(usdc.chainId) ? ['USDC'] : []),
]
