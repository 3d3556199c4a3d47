import { EventPage, read } from './wire.server.ts'

// The provider's record of events: the way back to what it did when the answer was lost.

/** By then what was done stands in the record. */
export const RECORD_MINUTES = 15

const RECORD = '/v1/notifications/webhooks-events'
// a search through the record that goes on beyond this many pages finds nothing out, neither that there is none
const MOST_PAGES = 200

/** What the record names of it. */
export type FoundCapture = { providerOrderId: string | null; captureId: string | null }

/** `get` asks the provider at `baseUrl` for a path. */
export function createRecord(get: (path: string) => Promise<unknown>, baseUrl: string) {
  /** The first thing that an event of the type names by `customId`. */
  async function find(eventType: string, customId: string, since: Date) {
    const query = new URLSearchParams({
      start_time: since.toISOString(),
      end_time: new Date().toISOString(),
      event_type: eventType,
      page_size: '300',
    })
    let search: string | null = `?${query}`
    for (let page = 0; search !== null; page++) {
      if (page === MOST_PAGES) throw new Error(`no end of the record of events after ${MOST_PAGES} pages`)
      const answer = await get(RECORD + search)
      const { events, links = [] } = read(() => EventPage.parse(answer))
      const found = events.find(({ resource }) => resource.custom_id === customId)
      if (found) return found.resource
      const next = links.find(({ rel }) => rel === 'next')
      search = next ? read(() => new URL(next.href, baseUrl).search) : null
    }
    return null
  }

  /**
   * What was captured for a payment, also before its order's id was known. `since` bounds the search. Null when there is
   * none.
   */
  async function findCapture(paymentId: string, since: Date): Promise<FoundCapture | null> {
    const found = await find('PAYMENT.CAPTURE.COMPLETED', paymentId, since)
    return (
      found && { providerOrderId: found.supplementary_data?.related_ids.order_id ?? null, captureId: found.id ?? null }
    )
  }

  /** The provider's id of a refund that was asked for under ours; null when none is named, an empty text when it has none. */
  async function findRefund(refundId: string, since: Date): Promise<string | null> {
    const found =
      (await find('PAYMENT.CAPTURE.REFUNDED', refundId, since)) ??
      (await find('PAYMENT.REFUND.PENDING', refundId, since))
    return found && (found.id ?? '')
  }

  return { findCapture, findRefund }
}
