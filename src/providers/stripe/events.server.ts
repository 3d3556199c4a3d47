import { z } from 'zod'
import type { EventSubject } from '../../payments/provider.ts'

// Reads only the subject of an event. The shop queries Stripe for the current state.

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
  // a page that only saves a card: the return URL handles it
  if (mode === 'setup') return null
  if (object === 'checkout.session')
    return { about: 'payment', ref: id, captureRef: null, paymentId: metadata?.payment_id ?? null }
  // a payment of a payment page also sends an event of the page, so ignore this one
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
