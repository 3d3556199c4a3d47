import type { ProviderContext } from './openProvider.server.ts'
import { isTestNetwork } from './usdc/units.rules.ts'

export type ProviderSettings = Pick<ProviderContext['config'], 'paypal' | 'stripe' | 'usdc'>

export const findLiveProviders = ({ paypal, stripe, usdc }: ProviderSettings): string[] => [
  ...(paypal?.environment === 'live' ? ['PayPal'] : []),
  ...(stripe?.mode === 'live' ? ['Stripe'] : []),
  ...(usdc && !isTestNetwork(usdc.chainId) ? ['USDC'] : []),
]
