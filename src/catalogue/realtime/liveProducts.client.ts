import type { Product } from '../catalogue.contract.ts'
import { getRealtimeProducts, MOST_TOLD, type RealtimeProducts, TOLD_MINUTES } from './realtime.contract.ts'
import { queryClient } from '../../kit/query/query.client.ts'
import { startPolling } from '../../monitoring/realtime/realtime.client.ts'
import { applyChanges } from './liveProducts.rules.ts'

// Prices and what can be bought change in place on open pages. Loaded after the first paint.

let version: string | undefined

/** Follows the catalogue until the answered function is called. */
export const followProducts = (): (() => void) =>
  startPolling({ path: getRealtimeProducts.line.slice('GET '.length), hear })

function hear(answer: unknown, sinceMs: number) {
  const told = answer as RealtimeProducts
  const isFirst = version === undefined
  if (told.version === version) return
  version = told.version
  const isTooOld = sinceMs > TOLD_MINUTES * 60_000
  const isTooMuch = told.changed.length + told.removed.length >= MOST_TOLD
  if (!isFirst && (isTooOld || isTooMuch)) return void queryClient.invalidateQueries({ queryKey: ['/api/products'] })
  queryClient.setQueriesData<unknown>({ queryKey: ['/api/products'] }, (kept: unknown) => changeIn(kept, told))
}

type List = { products: Product[] }
const isList = (kept: object): kept is List => 'products' in kept && Array.isArray(kept.products)

/** The same object when nothing in it has changed, so that nothing is drawn again. */
function changeIn(kept: unknown, told: RealtimeProducts): unknown {
  if (typeof kept !== 'object' || kept === null) return kept
  if (isList(kept)) {
    const products = applyChanges(kept.products, told)
    return products === kept.products ? kept : { ...kept, products }
  }
  if ('pages' in kept && Array.isArray(kept.pages)) {
    const pages: unknown[] = kept.pages.map((page) => changeIn(page, told))
    return pages.every((page, i) => page === (kept.pages as unknown[])[i]) ? kept : { ...kept, pages }
  }
  if ('id' in kept && 'price' in kept) return applyChanges([kept as Product], told)[0]
  return kept
}
