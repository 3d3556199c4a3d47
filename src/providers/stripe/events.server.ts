import { z } from 'zod'
import type { EventSubject } from '../../payments/provider.ts'

// What an event is about. It never says what happened: the shop asks Stripe.

const Event = z.object({
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.string(),
      charge: z.string().nullish(),
      mode: z.string().nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
})

export function subjectOf(body: string): EventSubject | null {
  const event = Event.safeParse(parseJson(body))
  if (!event.success) return null
  const { object, id, charge, mode, metadata } = event.data.data.object
  // a page that kept a card: the member comes back from it
  if (mode === 'setup') return null
  if (object === 'checkout.session')
    return { about: 'payment', ref: id, captureRef: null, paymentId: metadata?.payment_id ?? null }
  // the payment of a page has the page's own event
  if (object === 'payment_intent' && metadata?.by === 'saved card')
    return { about: 'payment', ref: id, captureRef: null, paymentId: metadata.payment_id ?? null }
  if (object === 'refund' && charge) return { about: 'refund', refundRef: id, captureRef: charge }
  if (object === 'dispute') return { about: 'dispute', disputeRef: id, captureRef: charge ?? null }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
