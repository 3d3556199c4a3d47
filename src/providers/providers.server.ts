import { operatorFailure } from '../kit/failure.ts'
import type { OpenedProvider, OpenProvider, ProviderContext } from './openProvider.server.ts'
import { openPaypal } from './paypal/open.server.ts'
import type { Hosts, Provider, Providers } from '../payments/provider.ts'
import { openStripe } from './stripe/open.server.ts'
import { openUsdc } from './usdc/open.server.ts'
import { firstOf } from '../kit/values/required.ts'

const PROVIDERS: OpenProvider[] = [openPaypal, openStripe, openUsdc]

export async function openProviders(context: ProviderContext, opening = PROVIDERS) {
  const opened: OpenedProvider[] = []
  for (const open of opening) {
    const one = await open(context)
    if (one) opened.push(one)
  }
  if (opened.length === 0)
    throw operatorFailure(
      'PAYPAL_CLIENT_ID: not set; give it with PAYPAL_CLIENT_SECRET, or STRIPE_SECRET_KEY with STRIPE_WEBHOOK_SECRET, or PAYMENTS_SANDBOX=1 to try the shop without real money.',
    )
  refuseMixed(opened.map(({ provider }) => provider))
  return {
    ...asProviders(opened.map(({ provider }) => provider)),
    routes: opened.flatMap(({ routes }) => routes),
    jobs: opened.flatMap(({ jobs }) => jobs),
    stop: async () => {
      for (const { stop } of opened) await stop()
    },
  }
}

/** Rejects a mix of test and live providers: sellers would get real payouts for play money. */
export function refuseMixed(list: Pick<Provider, 'label' | 'mode' | 'credentials'>[]) {
  const live = list.find(({ mode }) => mode === 'live')
  const test = list.find(({ mode }) => mode === 'sandbox')
  if (!live || !test) return
  const setting = /[A-Z_]+/.exec(test.credentials)?.[0] ?? test.label
  throw operatorFailure(
    `${setting}: ${test.label} is in test mode beside ${live.label}, which takes real money; use one mode for all.`,
  )
}

function asProviders(list: Provider[]): Providers {
  const named = (name: string) => {
    const found = list.find((provider) => provider.name === name)
    if (!found) throw new Error(`the payment provider ${name} is not configured`)
    return found
  }
  return { list, main: firstOf(list), named }
}

export function hostsOf(list: Provider[]): Hosts {
  const all = (kind: keyof Hosts) => [...new Set(list.flatMap(({ hosts }) => hosts[kind]))]
  return { scripts: all('scripts'), connects: all('connects'), frames: all('frames') }
}
