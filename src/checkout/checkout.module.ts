import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import type { Locator } from '../localisation/location.server.ts'
import { checkoutRoutes } from './checkout.server.ts'
import type { Checkout } from './context.server.ts'
import { checkoutJobs } from './reconcile.server.ts'

type Needs = Kit<Checkout['config']> &
  Pick<Checkout, 'providers' | 'payouts' | 'risk' | 'storage'> & { locator: Locator }

export const checkout = {
  open({ config, database, secret, publicUrl, providers, payouts, risk, storage, locator }: Needs) {
    const paying = { providers, payouts, publicUrl, risk, secret, storage, countryOf: locator.recall }
    const opened: Checkout = { ...database, config, ...paying }
    return { routes: checkoutRoutes(opened), jobs: checkoutJobs(opened), parts: { checkout: opened } }
  },
} satisfies Module
