import { isKeptCache, keptCacheOf } from '../../delivery/library/kept.rules.ts'
import { MEMBER_HEADER } from '../../kit/memberHeader.ts'
import { canPreload, isForAll, isFresh, isPdfPart, MAX, readNote, type SentPage, wayOf } from './offline.rules.ts'

// The service worker, for offline use and push messages. It uses the cache only without a network, so no page is older
// than the server. Every cache name contains the build number.

declare const self: ServiceWorkerGlobalScope
declare const BUILD: string
declare const FILES: string[]

const SHELL = '/index.html'
const files = new Set(FILES)
const shelf = (name: string) => `${BUILD}/${name}`
const memberShelf = shelf('member/')
/** Counts deletions of personal data, so that a response in flight is not cached afterwards. */
let wipes = 0

self.addEventListener('install', (event) => {
  event.waitUntil(stock().then(() => self.skipWaiting()))
})

async function stock() {
  const app = await caches.open(shelf('app'))
  const shell = await fetch(SHELL, { cache: 'no-cache' })
  // Another node may serve the pages of another build.
  if (!(await shell.clone().text()).includes(`data-build="${BUILD}"`)) throw new Error('the pages are of another build')
  await app.put(SHELL, shell)
  await app.addAll(FILES)
}

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

async function takeOver() {
  const others = (await caches.keys()).filter((name) => !name.startsWith(shelf('')) && !isKeptCache(name))
  await Promise.all(others.map(takeOverPdfParts))
  await Promise.all(others.map((name) => caches.delete(name)))
  const preload = self.registration.navigationPreload
  // The browser stores this setting across builds, so sets it in both cases.
  await (canPreload(navigator.userAgent) ? preload?.enable() : preload?.disable())
  await self.clients.claim()
  for (const client of await self.clients.matchAll()) client.postMessage({ build: BUILD })
}

/** Copies the cached parts of the PDF reader, so that stored PDFs also open offline after an update. */
async function takeOverPdfParts(name: string) {
  const [former, app] = await Promise.all([name, shelf('app')].map((one) => caches.open(one)))
  for (const request of await former!.keys()) {
    const part = isPdfPart(new URL(request.url).pathname) && (await former!.match(request))
    if (part) await app!.put(request, part)
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname: path, search: query } = new URL(request.url)
  if (origin !== self.location.origin) return
  const way = wayOf({ method: request.method, path, query, isNavigation: request.mode === 'navigate' }, files)
  if (way === 'leaving') event.waitUntil(forgetMembers())
  else if (way === 'page') event.respondWith(visit(event))
  else if (way === 'file') event.respondWith(takeFile(event))
  else if (way === 'personal') event.respondWith(readPersonal(event))
  else if (way !== 'network') event.respondWith(readPublic(event, way))
})

/** Fetches a page from the server. Offline, returns the cached shell, which reads the other caches. */
async function visit(event: FetchEvent): Promise<Response> {
  try {
    const answer = ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request))
    if ([200, 404].includes(answer.status)) {
      await heed(answer)
      const member = answer.headers.get(MEMBER_HEADER)
      if (member) event.waitUntil(caches.open(memberShelf + member))
    }
    return answer
  } catch {
    return (await caches.match(SHELL, { cacheName: shelf('app') })) ?? Response.error()
  }
}

/** Returns a file of the build, which never changes. A query string only marks a retry. */
async function takeFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const cacheName = shelf('app')
  const known = await caches.match(request, { cacheName, ignoreVary: true, ignoreSearch: true })
  if (known) return known
  const answer = await fetch(request)
  if (answer.status === 200) event.waitUntil(keep(cacheName, request, answer.clone(), Infinity))
  return answer
}

async function readPublic(event: FetchEvent, way: 'catalogue' | 'picture'): Promise<Response> {
  const cacheName = shelf(way)
  try {
    const answer = await fetch(event.request)
    if (answer.status === 200 && isForAll(answer.headers.get('cache-control')))
      event.waitUntil(keep(cacheName, event.request, answer.clone(), MAX[way]))
    return answer
  } catch {
    return (await caches.match(event.request, { cacheName, ignoreVary: true })) ?? Response.error()
  }
}

/** Caches a member's responses under their id. Deletes them when the server reports another member or none. */
async function readPersonal(event: FetchEvent): Promise<Response> {
  const before = wipes
  try {
    const answer = await fetch(event.request)
    if (answer.status === 401) await forgetMembers()
    const member = answer.headers.get(MEMBER_HEADER)
    if (answer.status === 200 && member && before === wipes) {
      await heed(answer)
      event.waitUntil(keep(memberShelf + member, event.request, answer.clone(), MAX.catalogue))
    }
    return answer
  } catch {
    const kept = await findPersonal(event.request)
    return kept && isFresh(kept.headers.get('date'), Date.now()) ? kept : Response.error()
  }
}

async function findPersonal(request: Request): Promise<Response | undefined> {
  const [cacheName] = (await caches.keys()).filter((name) => name.startsWith(memberShelf))
  return cacheName === undefined ? undefined : caches.match(request, { cacheName, ignoreVary: true })
}

self.addEventListener('message', (event) => event.waitUntil(keepSentPage(event.data as SentPage)))

/** Caches replies that came with a page. The visit opened the member's cache; a sign-out deletes it. */
async function keepSentPage({ at, member, replies }: SentPage) {
  for (const [path, [body, total, link]] of Object.entries(replies)) {
    const [name = '', query = ''] = path.split('?')
    const way = wayOf({ method: 'GET', path: name, query: `?${query}`, isNavigation: false }, files)
    if (way !== 'catalogue' && way !== 'personal') continue
    const cacheName = way === 'personal' ? memberShelf + member : shelf(way)
    if (way === 'personal' && !(await caches.has(cacheName))) continue
    const known = await caches.match(path, { cacheName, ignoreVary: true })
    if (Date.parse(known?.headers.get('date') ?? '') > at) continue
    const headers = new Headers({ 'content-type': 'application/json', date: new Date(at).toUTCString() })
    if (total) headers.set('x-total-count', total)
    if (link) headers.set('link', link)
    await keep(cacheName, new Request(path), new Response(JSON.stringify(body), { headers }), MAX.catalogue)
  }
}

/** Deletes the data of every member except the one in the response. */
async function heed(answer: Response) {
  const member = answer.headers.get(MEMBER_HEADER)
  await forgetMembers(member ?? undefined)
}

async function forgetMembers(except = '') {
  const stays = [memberShelf + except, keptCacheOf(except)]
  const isPersonal = (name: string) => name.startsWith(memberShelf) || isKeptCache(name)
  const others = (await caches.keys()).filter((name) => isPersonal(name) && !stays.includes(name))
  if (!except || others.length > 0) wipes++
  await Promise.all(others.map((name) => caches.delete(name)))
}

async function keep(cacheName: string, request: Request, answer: Response, most: number) {
  const before = wipes
  const cache = await caches.open(cacheName)
  await cache.put(request, answer)
  const surplus = (await cache.keys()).slice(0, -most)
  await Promise.all(surplus.map((old) => cache.delete(old)))
  // The member signed out during the write.
  if (before !== wipes && cacheName.startsWith(memberShelf)) await caches.delete(cacheName)
}

self.addEventListener('push', (event) => {
  const { title, body, url } = readNote(event.data?.text() ?? '', self.location.origin)
  const look = { icon: '/icons/192.png', badge: '/icons/badge.png' }
  event.waitUntil(self.registration.showNotification(title, { body, tag: url, data: url, ...look }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(goTo(String(event.notification.data)))
})

async function goTo(url: string) {
  const [client] = await self.clients.matchAll({ type: 'window' })
  if (!client) return void (await self.clients.openWindow(url))
  await client.focus()
  await client.navigate(url)
}
