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

/** Makes dates those of this place; true if the server drew for another. */
export function comeHome(): boolean {
  const wasElsewhere = isElsewhere
  isElsewhere = false
  setZone(null)
  return wasElsewhere
}

/** Reads what came with the page, so that the browser draws first what the server drew; false for a page without it. */
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

/** The shopper left this entry of the history with more products on screen. */
export const isFurtherDown = () => (history.state as { shown?: number } | null)?.shown !== undefined
