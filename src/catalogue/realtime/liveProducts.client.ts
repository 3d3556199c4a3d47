import type { Product } from '../catalogue.contract.ts'
import { getRealtimeProducts, MAX_TOLD, type RealtimeProducts, TOLD_MINUTES } from './realtime.contract.ts'
import { queryClient } from '../../kit/query/query.client.ts'
import { startPolling } from '../../kit/realtime/realtime.client.ts'

// Updates prices and availability on open pages. Loaded after the first paint.

let version: string | undefined

export const followProducts = (): (() => void) =>
  startPolling({ path: getRealtimeProducts.line.slice('GET '.length), hear })

function hear(answer: unknown, sinceMs: number) {
  const told = answer as RealtimeProducts
  const isFirst = version === undefined
  if (told.version === version) return
  version = told.version
  const isTooOld = sinceMs > TOLD_MINUTES * 60_000
  const isTooMuch = told.changed.length + told.removed.length >= MAX_TOLD
  if (!isFirst && (isTooOld || isTooMuch)) return void queryClient.invalidateQueries({ queryKey: ['/api/products'] })
  queryClient.setQueriesData<unknown>({ queryKey: ['/api/products'] }, (kept: unknown) => applyChanges(kept, told))
}

/** Applies changes to a cached response. A removed product stays visible but cannot be bought. */
export function applyChanges<T>(answer: T, { changed, removed }: Pick<RealtimeProducts, 'changed' | 'removed'>): T {
  const news = new Map<string, Partial<Product>>([
    ...changed.map(
      ({ id, title, price, suggested }) =>
        [id, { title, price, ...(suggested !== undefined && { suggested }), isActive: true }] as const,
    ),
    ...removed.map((id) => [id, { isActive: false }] as const),
  ])
  if (news.size === 0) return answer
  const change = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(change)
    if (typeof part !== 'object' || part === null) return part
    if ('id' in part && 'price' in part) return { ...part, ...news.get(part.id as string) }
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value)]))
  }
  // the cache retains equal objects, so React rerenders only changed products
  return change(answer) as T
}
