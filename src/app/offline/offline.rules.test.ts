import { expect, test } from 'vitest'
import { canPreload, isForAll, isFresh, readNote, wayOf } from './offline.rules.ts'

const files = new Set(['/assets/index-1.js', '/favicon.svg'])
const ask = (line: string, isNavigation = false) => {
  const [method, url] = line.split(' ') as [string, string]
  const [path, query = ''] = url.split('?') as [string, string?]
  return wayOf({ method, path, query: query && `?${query}`, isNavigation }, files)
}

test.each([
  ['GET /assets/index-1.js', 'file'],
  ['GET /assets/index-2.js', 'network'],
  ['GET /assets/pdf.worker.min-1.js', 'file'],
  ['GET /assets/pdf/6.5.438/cmaps/H.bcmap', 'file'],
  ['GET /api/auth/user', 'personal'],
  ['GET /api/orders', 'personal'],
  ['GET /api/orders/7', 'personal'],
  ['POST /api/orders', 'network'],
  ['POST /api/orders/7/lines/8/reveal', 'network'],
  ['GET /api/library?limit=50', 'personal'],
  ['GET /api/library?limit=50&q=bread', 'network'],
  ['GET /api/library/go-on', 'personal'],
  ['GET /api/library/7/files', 'personal'],
  ['GET /api/cart', 'personal'],
  ['GET /api/cart/codes', 'network'],
  ['GET /api/learn/7', 'personal'],
  ['GET /api/learn/7/lessons/8', 'personal'],
  ['PUT /api/learn/7/lessons/8/done', 'network'],
  ['GET /api/chat', 'network'],
  ['GET /api/categories', 'catalogue'],
  ['GET /api/products?limit=3', 'catalogue'],
  ['GET /api/products/7', 'catalogue'],
  ['GET /api/products?q=bread&limit=3', 'network'],
  ['GET /api/products?limit=3&q=bread', 'network'],
  ['GET /images/7/320.avif', 'picture'],
  ['GET /downloads/7', 'network'],
  ['GET /api/logout', 'leaving'],
  ['POST /api/logout', 'leaving'],
  ['POST /api/login', 'leaving'],
  ['POST /api/login/two-factor', 'leaving'],
  ['GET /api/login', 'network'],
])('%s uses the strategy %s', (line, way) => expect(ask(line)).toBe(way))

test.each([
  ['GET /', 'page'],
  ['GET /product/7', 'page'],
  ['GET /no/such/page', 'page'],
  ['GET /api/logout', 'leaving'],
  ['GET /api/login', 'network'],
  ['GET /sandbox/paypal/checkoutnow', 'network'],
  ['GET /downloads/7', 'network'],
  ['GET /openapi.json', 'network'],
])('a visit to %s uses the strategy %s', (line, way) => expect(ask(line, true)).toBe(way))

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', false],
  ['Mozilla/5.0 (Android 15; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0', false],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/125.0 Safari/605.1.15', true],
])('%s may preload pages: %s', (userAgent, expected) => expect(canPreload(userAgent)).toBe(expected))

test('a cached answer is valid as long as the longest session', () => {
  const now = Date.parse('2030-01-15T00:00:00Z')
  expect(isFresh('Wed, 02 Jan 2030 00:00:00 GMT', now)).toBe(true)
  expect(isFresh('Mon, 31 Dec 2029 00:00:00 GMT', now)).toBe(false)
  expect(isFresh(null, now)).toBe(false)
})

test.each([
  ['public, no-cache', true],
  ['no-cache', true],
  ['private, no-store', false],
  ['no-store', false],
  [null, false],
])('an answer with Cache-Control %s is public: %s', (value, expected) => expect(isForAll(value)).toBe(expected))

test.each([
  ['{"title":"Ready","body":"Your order","url":"/orders/7"}', { title: 'Ready', body: 'Your order', url: '/orders/7' }],
  ['{"title":"Ready","url":"https://shop.example/orders?x=1#y"}', { title: 'Ready', body: '', url: '/orders?x=1#y' }],
  ['{"title":"Ready","url":"https://evil.example/"}', { title: 'Ready', body: '', url: '/' }],
  ['{"title":"Ready","url":"//evil.example"}', { title: 'Ready', body: '', url: '/' }],
  ['{"title":"Ready","url":"javascript:alert(1)"}', { title: 'Ready', body: '', url: '/' }],
  ['{"title":"Ready","url":"http://["}', { title: 'Ready', body: '', url: '/' }],
  ['not JSON', { title: 'Something new for you', body: '', url: '/' }],
  ['null', { title: 'Something new for you', body: '', url: '/' }],
])('shows the push message %s', (text, note) => expect(readNote(text, 'https://shop.example')).toEqual(note))
