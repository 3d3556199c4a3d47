import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
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
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'
import { places, placeAt, readsOf } from '../shell/pages.tsx'

// The entry of the bundle that the server loads to draw pages: the same components as in the browser.

/** Loads the scripts of the pages. */
export const prepare = () => Promise.all([preloadCovers(), ...Object.values(places).map(({ Page }) => Page.preload())])

/** What the page at a path reads, and the name of its script; null for no page. */
export function planOf(path: string) {
  const found = placeAt(path)
  return found && { reads: readsOf(found).map(({ queryKey }) => pathOfKey(queryKey)), file: found.place.Page.file }
}

export const clockIn = (zone: string, now: number) => ({
  isKnown: setZone(zone),
  hour: hourAt(now),
  clock: formatClock(now),
})

export type Asked = {
  url: string
  replies: Record<string, CameReply>
  currency: Currency
  drawn: Drawn
}

/** Draws at one go, so that what it sets for this page can meet no other. */
export function draw({ url, replies, currency, drawn }: Asked): string {
  const [path = '', search = ''] = url.split('?')
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  fillReads(client, readsOf(placeAt(path)!), replies)
  setDrawn(drawn)
  setZone(drawn.zone)
  drawCurrency(currency)
  return renderToString(
    <QueryClientProvider client={client}>
      <ErrorBoundary place="">
        <Router ssrPath={path} ssrSearch={search}>
          <App />
        </Router>
      </ErrorBoundary>
    </QueryClientProvider>,
  )
}
