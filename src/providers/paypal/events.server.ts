import type { EventSubject } from '../../payments/provider.ts'
import { subjectOfDispute } from './disputes.server.ts'
import { subjectOfPayout } from './payouts.server.ts'
import { Event, EventHead } from './wire.server.ts'

/** Returns the id and type of an event before its signature is checked. Null if the body is not an event. */
export function readEventHead(body: Uint8Array): { id: string; type: string } | null {
  const head = EventHead.safeParse(parseJson(new TextDecoder().decode(body)))
  return head.success ? { id: head.data.id, type: head.data.event_type } : null
}

export function subjectOf(body: string): EventSubject | null {
  const parsed = parseJson(body)
  const other = subjectOfPayout(parsed) ?? subjectOfDispute(parsed)
  if (other) return other
  const event = Event.safeParse(parsed)
  if (!event.success) return null
  const { resource_type: type, resource } = event.data
  const ids = resource.supplementary_data?.related_ids
  const isReversal = event.data.event_type === 'PAYMENT.CAPTURE.REVERSED'
  if (type === 'refund') {
    const up = resource.links?.find(({ rel }) => rel === 'up')
    const captureRef = ids?.capture_id ?? up?.href.split('/').at(-1)
    return captureRef ? { about: isReversal ? 'reversal' : 'refund', refundRef: resource.id, captureRef } : null
  }
  if (type === 'capture' && isReversal) return { about: 'reversal', captureRef: resource.id, refundRef: null }
  const ref = type === 'checkout-order' ? resource.id : ids?.order_id
  if (!ref) return null
  const captureRef = type === 'capture' ? resource.id : null
  return { about: 'payment', ref, captureRef, paymentId: resource.custom_id ?? null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
