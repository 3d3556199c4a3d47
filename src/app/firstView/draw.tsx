import { QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { preloadCovers } from '../../catalogue/covers/ProductImage.tsx'
import { setDrawn } from '../../kit/drawn.client.ts'
import { fillReads } from '../../kit/query/list.client.ts'
import { pathOfKey } from '../../kit/query/query.client.ts'
import { drawCurrency } from '../../localisation/currency.client.ts'
import { formatClock, hourAt, setZone } from '../../localisation/dates.rules.ts'
import { App } from '../App.tsx'
import { greetingAt } from '../pages/greeting.rules.ts'
import { Root } from '../Root.tsx'
import { places, placeAt, readsOf } from '../shell/pages.tsx'
import type { Drawer } from './drawer.ts'

// The entry of the bundle that renders pages on the server, with the same components as in the browser.

export const prepare: Drawer['prepare'] = () =>
  Promise.all([preloadCovers(), ...Object.values(places).map(({ Page }) => Page.preload())])

const NO_ID = '00000000-0000-7000-8000-000000000000'

export const planOf: Drawer['planOf'] = (url) => {
  const [path = '', search = ''] = url.split('?')
  const found = placeAt(path)
  if (!found) return undefined
  const { Page, addressOf } = found.place
  const isOutline = !Page.firstView()
  return {
    address: isOutline ? found.path.replace(/:\w+/, NO_ID) : (addressOf?.(new URLSearchParams(search)) ?? path),
    id: isOutline ? '' : found.id,
    reads: readsOf(found).map(({ queryKey }) => pathOfKey(queryKey)),
    file: Page.file,
  }
}

export const timesIn: Drawer['timesIn'] = (zone, now, firstName) => {
  setZone(zone)
  return { clock: formatClock(now), greeting: greetingAt(hourAt(now), firstName) }
}

export const draw: Drawer['draw'] = ({ address, replies, currency, drawn }) => {
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
