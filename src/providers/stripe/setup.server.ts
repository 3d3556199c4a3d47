import type { AddsMethod } from '../../payments/provider.ts'
import type { Client } from './client.server.ts'
import { labelOf, tokenOf } from './outcome.server.ts'
import { STRIPE } from '../../payments/methods.ts'

export const setupsAt = ({ ask, find }: Client, publicUrl: string): AddsMethod => ({
  start: async (owner) => {
    const page = `${publicUrl}/profile/payments`
    const { id, url } = await ask((stripe) =>
      stripe.checkout.sessions.create({
        mode: 'setup',
        ui_mode: 'hosted_page',
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        // binds the page to the member who returns from it
        client_reference_id: owner,
        customer_creation: 'always',
        success_url: `${page}?added=${STRIPE}`,
        cancel_url: page,
      }),
    )
    return { kind: 'page', url: url!, ref: id }
  },

  finish: async (owner, ref) => {
    const session = await find((stripe) =>
      stripe.checkout.sessions.retrieve(ref, { expand: ['setup_intent.payment_method'] }),
    )
    if (!session || session.mode !== 'setup' || session.client_reference_id !== owner) return null
    const { setup_intent: intent, customer } = session
    if (session.status !== 'complete' || !intent || typeof intent === 'string') return null
    const { payment_method: method } = intent
    if (!method || typeof method === 'string' || !customer) return null
    // detached meanwhile
    if (!method.customer) return null
    const customerId = typeof customer === 'string' ? customer : customer.id
    return { token: tokenOf(customerId, method.id), label: labelOf(method.card) }
  },
})
