import type { SentReplies } from '../../kit/query/firstView.ts'

type Way = 'network' | 'page' | 'file' | 'catalogue' | 'picture' | 'personal' | 'leaving'
type PageRequest = { method: string; path: string; query: string; isNavigation: boolean }

const NOT_PAGES = /^\/(api|assets|images|objects|downloads|sandbox|order|setup|dev|docs)(\/|$)|\.[a-z0-9]{1,11}$/i
const PERSONAL =
  /^\/api\/(auth\/user|cart|orders(\/[^/]+)?|library(\/go-on|\/[^/]+\/files)?|learn\/[^/]+(\/lessons\/[^/]+)?)$/
/** The PDF worker and its optional files. The service worker caches each at its first use. */
export const isPdfPart = (path: string): boolean => /^\/assets\/pdf[./]/.test(path)
const CATALOGUE = /^\/api\/(categories|products(\/[^/]+)?)$/

/** Chooses the caching strategy. `files` are precached files of this build. Codes and grants are never cached. */
export function wayOf({ method, path, query, isNavigation }: PageRequest, files: ReadonlySet<string>): Way {
  if (path === '/api/logout' || (method !== 'GET' && path.startsWith('/api/login'))) return 'leaving'
  if (method !== 'GET') return 'network'
  if (isNavigation) return NOT_PAGES.test(path) ? 'network' : 'page'
  if (files.has(path) || isPdfPart(path)) return 'file'
  // Searches are private and rarely repeated.
  if (/[?&]q=/.test(query)) return 'network'
  if (PERSONAL.test(path)) return 'personal'
  if (CATALOGUE.test(path)) return 'catalogue'
  return path.startsWith('/images/') ? 'picture' : 'network'
}

/**
 * Returns true if the browser may request a page while the worker starts. In Firefox, a failed preload fails the visit,
 * even if the worker has a cached response.
 */
export const canPreload = (userAgent: string): boolean => !/\bFirefox\//.test(userAgent)

export type SentPage = { at: number; member: string; replies: SentReplies }

export const MAX = { catalogue: 80, picture: 160 }

/** A copy expires with the longest session. */
const MAX_AGE_MS = 14 * 24 * 3600_000

export const isFresh = (date: string | null, now: number): boolean => now - Date.parse(date ?? '') < MAX_AGE_MS

export const isForAll = (cacheControl: string | null): boolean => !/private|no-store/.test(cacheControl ?? 'private')

export type Note = { title: string; body: string; url: string }

/** Converts a push message into a notification. Its link stays within this store. */
export function readNote(text: string, origin: string): Note {
  let given: Partial<Record<keyof Note, unknown>> = {}
  try {
    given = (JSON.parse(text) ?? {}) as typeof given
  } catch {
    // Shows a default notification, because browsers require a visible one.
  }
  const say = (value: unknown, otherwise: string) => (typeof value === 'string' && value ? value : otherwise)
  return {
    title: say(given.title, 'Something new for you'),
    body: say(given.body, ''),
    url: pathWithin(say(given.url, '/'), origin),
  }
}

function pathWithin(url: string, origin: string): string {
  try {
    const { origin: there, pathname, search, hash } = new URL(url, origin)
    return there === origin ? pathname + search + hash : '/'
  } catch {
    return '/'
  }
}
