import Stripe from 'stripe'
import { openKeys } from '../sandbox/stripe/keys.server.ts'
import { openStripe } from '../src/providers/stripe/open.server.ts'
import type { Faults } from './provider.ts'
import { openTestShop, type TestShop } from './shop.ts'

/** Opens a shop whose only provider is Stripe, with the sandbox. */
export const openStripeShop = (env: Record<string, string> = {}, options: { hasJobs?: boolean } = {}) =>
  openTestShop({ BONUS_PERCENT: '0', ...env }, { ...options, providers: [openStripe] })

/** Returns the sandbox of Stripe: its test calls, its keys, and Stripe's library connected to it. */
export async function stripeOf({ url, database: { pool } }: TestShop) {
  const base = `${url}/sandbox/stripe`
  const keys = await openKeys(pool)
  const libraryWith = (key: string) =>
    new Stripe(key, {
      httpClient: Stripe.createFetchHttpClient((asked, init) => {
        const { pathname, search } = new URL(asked as string)
        return fetch(base + pathname + search, init)
      }),
      maxNetworkRetries: 0,
      telemetry: false,
    })
  return {
    base,
    keys,
    library: libraryWith(keys.secretKey),
    libraryWith,
    press: async (what: string, ref: string) => {
      const response = await fetch(`${base}/test/orders/${ref}/${what}`, { method: 'POST' })
      if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`)
    },
    setFaults: async (faults: Faults) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(faults)
      const response = await fetch(`${base}/test/faults`, { method: 'PUT', headers, body })
      if (!response.ok) throw new Error(`faults: ${response.status} ${await response.text()}`)
    },
    /** Submits the hosted page as the buyer does. */
    submit: (ref: string, fields: Record<string, string>) =>
      fetch(`${base}/pay/${ref}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
    /** Expires the idempotency keys, as Stripe does after a day. */
    forgetKeys: () => pool.query(`UPDATE sandbox.replays SET created_at = now() - interval '25 hours'`),
  }
}
