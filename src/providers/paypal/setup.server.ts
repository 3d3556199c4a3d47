import { z } from 'zod'
import { Unanswered } from '../../payments/outcome.ts'
import type { AddsMethod } from '../../payments/provider.ts'
import type { Client } from './client.server.ts'
import { Refused } from './outcome.server.ts'
import { methodLabel, PAYPAL } from '../../payments/methods.ts'
import { Links, read } from './wire.server.ts'

// Saves a PayPal account without a payment: the shop exchanges an approved setup token for a payment token.

const SETUPS = '/v3/vault/setup-tokens'

const Setup = z.object({
  id: z.string(),
  status: z.string(),
  customer: z.object({ merchant_customer_id: z.string().optional() }).optional(),
  links: Links,
})
const Kept = z.object({
  id: z.string(),
  payment_source: z.object({ paypal: z.object({ email_address: z.string().optional() }).optional() }).optional(),
})

type Shop = { storeName: string; publicUrl: string }

export const setupsAt = (client: Client, { storeName, publicUrl }: Shop, tokens: string): AddsMethod => ({
  start: async (owner) => {
    const page = `${publicUrl}/profile/payments`
    const source = {
      usage_type: 'MERCHANT',
      customer_type: 'CONSUMER',
      experience_context: {
        brand_name: storeName,
        shipping_preference: 'NO_SHIPPING',
        vault_instruction: 'ON_PAYER_APPROVAL',
        return_url: `${page}?added=${PAYPAL}`,
        cancel_url: page,
      },
    }
    // binds the setup token to the member who returns from PayPal
    const body = { payment_source: { paypal: source }, customer: { merchant_customer_id: owner } }
    const answer = await client.request('POST', SETUPS, body).catch((error: unknown) => {
      throw error instanceof Refused ? new Unanswered(`no setup token: ${error.issue}`, { cause: error }) : error
    })
    const { id, links = [] } = read(() => Setup.parse(answer))
    const url = links.find(({ rel }) => rel === 'approve')?.href
    if (!url) throw new Unanswered('a setup token without a page')
    return { kind: 'page', url, ref: id }
  },

  finish: async (owner, ref) => {
    const setup = await client.find(`${SETUPS}/${encodeURIComponent(ref)}`, (body) => Setup.parse(body))
    if (setup?.customer?.merchant_customer_id !== owner) return null
    if (setup.status !== 'APPROVED' && setup.status !== 'VAULTED') return null
    const body = { payment_source: { token: { id: ref, type: 'SETUP_TOKEN' } } }
    try {
      // PayPal deduplicates by the request id: a repeat returns the same token
      const answer = await client.request('POST', tokens, body, `keep-${ref}`)
      const { id } = read(() => Kept.parse(answer))
      // the member may have removed the method meanwhile
      const kept = await client.find(`${tokens}/${encodeURIComponent(id)}`, (found) => Kept.parse(found))
      if (!kept) return null
      return { token: id, label: kept.payment_source?.paypal?.email_address ?? methodLabel(PAYPAL) }
    } catch (error) {
      if (error instanceof Refused) return null
      throw error
    }
  },
})
