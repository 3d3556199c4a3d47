import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { accessOf, lineOf, type Route } from '../kit/handle.server.ts'

// Attacks from other sites through a member's browser, on every route (attacks S4 and S11 to S15).

const open = openShopForTests()
const SOME_ID = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'

const partsOf = (route: Route) => lineOf(route).replace(/:\w+/g, SOME_ID).split(' ') as [string, string]
const isFromBrowser = (route: Route) => route.kind !== 'raw' || route.isFromBrowser

async function ask(route: Route, headers: Record<string, string>) {
  const [method, path] = partsOf(route)
  const response = await fetch(open.shop.url + path, {
    method,
    headers,
    redirect: 'manual',
    // The change feed never ends by itself.
    signal: AbortSignal.timeout(60_000),
  })
  await response.body?.cancel()
  return response
}

/** One session per request, because one route ends it. */
const cookieOf = ({ email }: Person) => open.shop.identity.createSession(email)

test('S4: rejects writes from another site on every route', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const cookie = await cookieOf(staff)
  const writes = open.shop.routes.filter((route) => !lineOf(route).startsWith('GET ') && isFromBrowser(route))
  expect(writes.length).toBeGreaterThan(60)
  const others: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const route of writes)
    for (const header of others)
      expect((await ask(route, { cookie, ...header })).status, `${lineOf(route)} ${Object.values(header)}`).toBe(403)
})

test('S4: rejects a form post without an origin on every route', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const headers = { cookie: await cookieOf(staff), 'user-agent': 'Mozilla/5.0' }
  const posts = open.shop.routes.filter((route) => lineOf(route).startsWith('POST ') && isFromBrowser(route))
  for (const route of posts) expect((await ask(route, headers)).status, lineOf(route)).toBe(403)
  const script = { ...headers, 'user-agent': 'curl/8.5.0' }
  const [logout] = posts.filter((route) => lineOf(route) === 'POST /api/logout')
  expect((await ask(logout!, script)).status).not.toBe(403)
})

test('S11: no other site can read any route', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  for (const route of open.shop.routes) {
    const response = await ask(route, { cookie: await cookieOf(staff), origin: 'https://evil.example' })
    const allowed = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(allowed, lineOf(route)).toEqual([])
  }
  const preflight = await fetch(`${open.shop.url}/api/cart`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(405)
  expect(preflight.headers.has('access-control-allow-origin')).toBe(false)
})

test('S12: forbids frames of another site on every page', async () => {
  const pages = open.shop.routes.filter((route) => lineOf(route).startsWith('GET '))
  let seen = 0
  for (const route of pages) {
    const { headers } = await ask(route, {})
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    seen += 1
    expect(headers.get('content-security-policy'), lineOf(route)).toMatch(/frame-ancestors '(none|self)'/)
    expect(headers.get('x-frame-options'), lineOf(route)).toMatch(/^(DENY|SAMEORIGIN)$/)
  }
  expect(seen).toBeGreaterThan(5)
})

/** Returns the first line of the reply to a WebSocket upgrade. */
const upgrade = (path: string) =>
  new Promise<string>((answer) => {
    const { hostname, port } = new URL(open.shop.url)
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\n` +
          'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      ),
    )
    socket.once('data', (bytes) => {
      answer(bytes.toString().split('\r\n')[0]!)
      socket.destroy()
    })
  })

test.each(['/api/some-token', '/', '/api/cart', '/api/real-time/products'])(
  'S13: refuses WebSocket at %s',
  async (path) => {
    expect(await upgrade(path)).not.toContain('101')
  },
)

test('S14: forbids caches to store personal replies, and ignores foreign headers in public ones', async () => {
  const member = await open.shop.join()
  const reads = open.shop.routes.filter((route) => route.kind === 'call' && lineOf(route).startsWith('GET '))
  for (const route of reads.filter((one) => accessOf(one) === 'member')) {
    const { headers } = await ask(route, { cookie: await cookieOf(member) })
    expect(headers.get('cache-control'), lineOf(route)).toBe('private, no-store')
  }
  const signIn = await fetch(`${open.shop.url}/api/login/password`)
  expect(signIn.headers.get('cache-control')).toBe('private, no-store')
  const textOf = async (path: string, headers = {}) => (await fetch(open.shop.url + path, { headers })).text()
  const poison = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
    forwarded: 'host=evil.example',
  }
  for (const path of [
    '/api/products',
    '/api/categories',
    '/openapi.json',
    '/docs',
    '/api/login/password',
    '/api/login/forgot',
  ]) {
    const poisoned = await textOf(path, poison)
    expect(poisoned).not.toContain('evil')
    expect(poisoned).toBe(await textOf(path))
  }
})

/** Sends a request with another Host header, which fetch cannot do. */
const asHost = (host: string) =>
  new Promise<string>((answer) => {
    const { hostname, port } = new URL(open.shop.url)
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /api/login/forgot HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
    )
    socket.once('data', (bytes) => answer(bytes.toString().split('\r\n')[0]!))
  })

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', 'localhost@evil.example', ''])(
  'S15: the shop does not respond to the host name "%s"',
  async (host) => {
    expect(await asHost(host)).toMatch(/^HTTP\/1\.1 4(00|21) /)
  },
)
