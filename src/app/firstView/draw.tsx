import { QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { preloadCovers } from '../../catalogue/covers/ProductImage.tsx'
import { type Drawn, setDrawn } from '../../kit/drawn.client.ts'
import { type CameReply, fillReads } from '../../kit/query/list.client.ts'
import { pathOfKey } from '../../kit/query/query.client.ts'
import { drawCurrency } from '../../localisation/currency.client.ts'
import type { Currency } from '../../localisation/currency.rules.ts'
import { formatClock, hourAt, setZone } from '../../localisation/dates.rules.ts'
import { App } from '../App.tsx'
import { greetingAt } from '../pages/greeting.rules.ts'
import { Root } from '../Root.tsx'
import { places, placeAt, readsOf } from '../shell/pages.tsx'

// The entry of the bundle that the server loads to draw pages: the same components as in the browser.

/** Loads the scripts of the pages. */
export const prepare = () => Promise.all([preloadCovers(), ...Object.values(places).map(({ Page }) => Page.preload())])

/**
 * How the page at a URL is drawn, or undefined for no page. Its address holds what the page reads of the URL and no more:
 * an outline reads nothing of it, and stands under its pattern.
 */
export function planOf(url: string) {
  const [path = '', search = ''] = url.split('?')
  const found = placeAt(path)
  if (!found) return undefined
  const { Page, addressOf } = found.place
  const isOutline = !Page.firstView()
  return {
    address: isOutline ? found.path : (addressOf?.(new URLSearchParams(search)) ?? path),
    id: isOutline ? '' : found.id,
    reads: readsOf(found).map(({ queryKey }) => pathOfKey(queryKey)),
    file: Page.file,
  }
}

/** The texts of a page that change with the time of day. */
export function timesIn(zone: string, now: number, firstName: string | null | undefined) {
  setZone(zone)
  return { clock: formatClock(now), greeting: greetingAt(hourAt(now), firstName) }
}

export type Request = {
  address: string
  replies: Record<string, CameReply>
  currency: Currency
  drawn: Drawn
}

/** Draws in one step without waiting, so that pages drawn at the same time do not mix. */
export function draw({ address, replies, currency, drawn }: Request): string {
  const [path = '', search = ''] = address.split('?')
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  fillReads(client, readsOf(placeAt(path)!), replies)
  setDrawn(drawn)
  setZone(drawn.zone)
  drawCurrency(currency)
  return renderToString(
    <Root client={client}>
      <Router ssrPath={path} ssrSearch={search}>
        <App />
      </Router>
    </Root>,
  )
}
