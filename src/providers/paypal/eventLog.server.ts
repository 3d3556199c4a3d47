import type { Client } from './client.server.ts'
import { z } from 'zod'
import type { Unknown } from '../../payments/outcome.ts'
import type { MissedEvent } from '../../payments/provider.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import { EventHead, EventPage, Links, read } from './wire.server.ts'

// PayPal's event log proves the effect of a request whose response was lost.

/** PayPal logs an effect within this time. */
export const LOGGED_MINUTES = 15

const PATH = '/v1/notifications/webhooks-events'
// past this limit the result is unknown: throw instead of returning null
const MAX_PAGES = 200

/** Returns the resource of the first event of this type with `customId`. Null when there is none. */
async function findEvent({ request, baseUrl }: Client, eventType: string, customId: string, ageMinutes: number) {
  const query = new URLSearchParams({
    start_time: new Date(Date.now() - (ageMinutes + 10) * 60_000).toISOString(),
    end_time: new Date().toISOString(),
    event_type: eventType,
    page_size: '300',
  })
  let search: string | null = `?${query}`
  for (let page = 0; search !== null; page++) {
    if (page === MAX_PAGES) throw new Error(`no end of the event log after ${MAX_PAGES} pages`)
    const answer = await request('GET', PATH + search)
    const { events, links = [] } = read(() => EventPage.parse(answer))
    const found = events.find(({ resource }) => resource.custom_id === customId)
    if (found) return found.resource
    const next = links.find(({ rel }) => rel === 'next')
    search = next ? read(() => new URL(next.href, baseUrl).search) : null
  }
  return null
}

/** Finds the capture of a payment of this age, even if the shop never received the id of its order. */
export async function findLoggedCapture(client: Client, paymentId: string, ageMinutes: number) {
  const found = await findEvent(client, 'PAYMENT.CAPTURE.COMPLETED', paymentId, ageMinutes)
  return found && { ref: found.supplementary_data?.related_ids.order_id ?? null, captureRef: found.id ?? null }
}

/** Returns PayPal's id of a refund of this age. Null when none is logged, '' when the event has no id. */
export async function findLoggedRefund(client: Client, refundId: string, ageMinutes: number): Promise<string | null> {
  const found =
    (await findEvent(client, 'PAYMENT.CAPTURE.REFUNDED', refundId, ageMinutes)) ??
    (await findEvent(client, 'PAYMENT.REFUND.PENDING', refundId, ageMinutes))
  return found && (found.id ?? '')
}

/** PayPal deletes log entries after this many days. */
const KEPT_DAYS = 30
const LoggedPage = z.object({ events: z.array(z.looseObject({})), links: Links })

export const readMissed = (client: Client, since: Date): Promise<{ kind: 'events'; events: MissedEvent[] } | Unknown> =>
  orUnknown(readLogged(client, since))

async function readLogged({ request, baseUrl }: Client, since: Date) {
  const oldest = Math.max(since.getTime(), Date.now() - KEPT_DAYS * 24 * 3600_000 + 3600_000)
  const query = new URLSearchParams({
    start_time: new Date(oldest).toISOString(),
    end_time: new Date().toISOString(),
    page_size: '300',
  })
  const events: MissedEvent[] = []
  let search: string | null = `?${query}`
  for (let page = 0; search !== null; page++) {
    if (page === MAX_PAGES) return unclear(`no end of the event log after ${MAX_PAGES} pages`)
    const answer = await request('GET', PATH + search)
    const { events: logged, links = [] } = read(() => LoggedPage.parse(answer))
    for (const event of logged) {
      const head = EventHead.safeParse(event)
      if (head.success) events.push({ id: head.data.id, type: head.data.event_type, body: JSON.stringify(event) })
    }
    const next = links.find(({ rel }) => rel === 'next')
    search = next ? read(() => new URL(next.href, baseUrl).search) : null
  }
  return { kind: 'events' as const, events: events.toReversed() }
}
