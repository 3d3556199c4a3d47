import { pathOfKey, queryClient } from '../../kit/query/query.client.ts'
import { isKeptCache } from '../../delivery/library/kept.rules.ts'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import type { SentReplies } from '../../kit/query/firstView.ts'
import type { Own } from '../firstView/drawer.ts'
import { readPart } from '../firstView/replies.client.ts'
import { type SentPage, wayOf } from './offline.rules.ts'

// Loaded after the first page. Installs the service worker and reloads pages of an older build.

const CHECK_EVERY_MS = 3600_000

let isStale = false
let lookedAt = performance.now()

/** Registers the service worker, except in development, which has none. */
export async function startOffline() {
  colourWindow()
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const workers = navigator.serviceWorker
  workers.addEventListener('message', ({ data }: MessageEvent<{ build?: string }>) => {
    isStale = data.build !== undefined && data.build !== document.documentElement.dataset.build
  })
  if (!workers.controller) workers.addEventListener('controllerchange', keepWhatIsHere, { once: true })
  else if (document.getElementById('own')) workers.controller.postMessage(readSentPage())
  const registration = await workers.register('/sw.js', { updateViaCache: 'none' })
  // A browser that blocks workers may reject without a reason.
  if (!registration) return
  void endRevoked()
  const look = () => {
    void endRevoked()
    lookedAt = performance.now()
    registration.update().catch(() => undefined)
  }
  addEventListener('online', look)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && performance.now() - lookedAt > CHECK_EVERY_MS) look()
  })
  document.addEventListener('click', leaveStalePage, { capture: true })
}

/** Deletes stored library files that the member may no longer open. Loads no script if nothing is stored. */
async function endRevoked() {
  if (!('caches' in window) || !(await caches.keys()).some(isKeptCache)) return
  const { dropRevoked } = await import('../../delivery/library/kept.client.ts')
  await dropRevoked().catch(() => undefined)
}

/** If the server has a newer build, the next link reloads the page instead of running old scripts. */
function leaveStalePage(event: MouseEvent) {
  if (isStale && event.target instanceof Element && event.target.closest('a[href]')) event.stopImmediatePropagation()
}

/** Returns the replies in the page. The worker itself sees only responses to requests. */
function readSentPage(): SentPage {
  const { now, replies } = readPart('own') as Own
  const [user] = replies['/api/auth/user'] as [CurrentUser]
  return { at: now, member: user.id, replies: { ...(readPart('shared') as SentReplies), ...replies } }
}

/** Repeats through the worker the requests that the page made before the worker was installed. */
function keepWhatIsHere() {
  const answered = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.data !== undefined })
  const reads = answered.map(({ queryKey }) => pathOfKey(queryKey))
  const pictures = [...document.images].map(({ currentSrc }) => currentSrc).filter(Boolean)
  for (const url of [...reads, ...pictures]) {
    const { pathname: path, search: query } = new URL(url, location.href)
    const way = wayOf({ method: 'GET', path, query, isNavigation: false }, new Set())
    if (way !== 'network') fetch(url).catch(() => undefined)
  }
}

function colourWindow() {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=theme-color]')
  const colour = () => meta?.setAttribute('content', getComputedStyle(document.body).backgroundColor)
  colour()
  new MutationObserver(colour).observe(document.documentElement, { attributeFilter: ['data-theme', 'data-mode'] })
}
