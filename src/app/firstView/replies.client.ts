import { setDrawn } from '../../kit/drawn.client.ts'
import type { SentReplies } from '../../kit/query/firstView.ts'
import { fillReads } from '../../kit/query/list.client.ts'
import { queryClient, type Read } from '../../kit/query/query.client.ts'
import { drawCurrency } from '../../localisation/currency.client.ts'
import { setZone } from '../../localisation/dates.rules.ts'
import { ownZone } from '../../localisation/zone.client.ts'
import type { Own } from './drawer.ts'

export const readPart = (id: string): unknown =>
  JSON.parse(document.getElementById(id)?.textContent || 'null') as unknown

let isElsewhere = false

/** Switches to this browser's time zone. Returns true if the server rendered for another zone. */
export function comeHome(): boolean {
  const wasElsewhere = isElsewhere
  isElsewhere = false
  setZone(null)
  return wasElsewhere
}

/**
 * Caches the replies in the page, so that the browser's first render equals the server's. Returns false for a page
 * without replies.
 */
export function takeReplies(reads: Read[]): boolean {
  const own = readPart('own') as Own | null
  if (!own) return false
  fillReads(queryClient, reads, { ...(readPart('shared') as SentReplies), ...own.replies })
  setDrawn({ now: own.now, zone: own.zone, htmlData: {} })
  drawCurrency(own.currency)
  isElsewhere = own.zone !== ownZone()
  if (isElsewhere) setZone(own.zone)
  return true
}

/** Returns true if the shopper had loaded more products at this history entry. */
export const isFurtherDown = () => (history.state as { shown?: number } | null)?.shown !== undefined
