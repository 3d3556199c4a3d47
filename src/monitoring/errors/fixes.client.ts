import { whenNear } from '../../kit/query/prefetch.client.ts'
import { pathOfKey, queryClient } from '../../kit/query/query.client.ts'
import type { RenderFault } from '../../kit/watch/caught.client.ts'

// Fixes for errors. Each returns whether a check proved that it worked.

const RETRY_MS = 1_000
const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Retries a failed read after a second and passes the result to the page. Never retries writes. */
export async function repeatRead(path: string | undefined): Promise<boolean> {
  // a navigation stops the timer, so errors caused by leaving the page are never reported
  await sleep(RETRY_MS)
  if (!path || !navigator.onLine) return false
  const waiting = queryClient
    .getQueryCache()
    .getAll()
    .find(({ queryKey, state }) => state.status === 'error' && pathOfKey(queryKey) === path)
  try {
    if (waiting) return (await waiting.fetch(), true)
    return (await fetch(path, { credentials: 'include' })).ok
  } catch {
    return false
  }
}

/** Returns true if `fresh` has a field that is missing or null in `cached`. Compares only the first items of lists. */
function hasMore(fresh: unknown, cached: unknown): boolean {
  if (cached === undefined || cached === null) return fresh !== undefined && fresh !== null
  if (typeof fresh !== 'object' || typeof cached !== 'object' || fresh === null) return false
  if (Array.isArray(fresh)) return Array.isArray(cached) && cached.length > 0 && hasMore(fresh[0], cached[0])
  return Object.entries(fresh).some(([name, value]) => hasMore(value, (cached as Record<string, unknown>)[name]))
}

/** Fixes null checks: re-reads the data on the page. Works if a fresh response has a field missing in the cache. */
export async function readBroken(): Promise<boolean> {
  const onPage = queryClient.getQueryCache().findAll({ type: 'active' })
  const results = await Promise.all(
    onPage.map(async (query) => {
      const cached = query.state.data
      if (cached === undefined) return false
      return hasMore(await query.fetch().catch(() => cached), cached)
    }),
  )
  return results.some(Boolean)
}

const SHORT_MS = 300
/** Time to wait for the next long task. A page without one proves nothing. */
const TIMEOUT_MS = 60_000
const CALM = `*,::before,::after,::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:1ms!important;transition-duration:1ms!important}`
let isLight = false
const awaited: ((duration: number) => void)[] = []

export const handleLongTask = (duration: number) => awaited.splice(0).forEach((tell) => tell(duration))

/** Enables light mode (no motion, no prefetching) until the next page load, and waits for the next long task. */
export async function lighten(): Promise<boolean> {
  if (!isLight) {
    isLight = true
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(CALM)
    document.adoptedStyleSheets.push(sheet)
    document.documentElement.dataset.light = ''
    whenNear(() => undefined)
  }
  const next = new Promise<number>((tell) => awaited.push(tell))
  const patience = sleep(TIMEOUT_MS).then(() => Infinity)
  return (await Promise.race([next, patience])) <= SHORT_MS
}

const CALM_MS = 10_000

type Part = Pick<RenderFault, 'remount' | 'isHere'> & {
  hasReturned: (at: number) => boolean
}

/** Renders a part again, the second time with fresh data. Works if the error does not recur for 10 s. */
export async function redraw({ remount, isHere, hasReturned }: Part): Promise<'worked' | 'failed' | 'left'> {
  await sleep(RETRY_MS)
  for (const isLast of [false, true]) {
    if (isLast) queryClient.removeQueries({ type: 'inactive' })
    const at = Date.now()
    if (!remount()) return 'left'
    await sleep(CALM_MS / 2)
    if (!hasReturned(at)) await sleep(CALM_MS / 2)
    if (!isHere()) return 'left'
    if (!hasReturned(at)) return 'worked'
  }
  return 'failed'
}
