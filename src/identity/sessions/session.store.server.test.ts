import { hkdfSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { createCookies } from './cookies.server.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'
import { hashToken } from '../token.store.server.ts'
import { watchSessions } from './session.store.server.ts'

const PASSWORD = 'violet-harbour-71'
let shop: TestNode
let secondNode: TestNode
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  shop = await openTestNode(made.url)
  secondNode = await openTestNode(made.url)
  await shop.identity.createUser({ email: 'ada@example.com', password: PASSWORD })
})
afterAll(async () => {
  await shop.close()
  await secondNode.close()
  await drop()
})

const tokenOf = (cookie: string) => cookie.slice('primo='.length).split('.')[0]!
const keyOf = (cookie: string) => hashToken(tokenOf(cookie))
const setSession = (cookie: string, change: string) =>
  shop.database.pool.query(`UPDATE sessions SET ${change} WHERE token_hash = $1`, [keyOf(cookie)])

async function signedIn(node = shop) {
  const browser = openBrowser(node.base)
  await browser.post('/api/login/password', { email: 'ada@example.com', password: PASSWORD })
  return browser
}

/** Polls, because messages between nodes take a moment. */
async function within(ms: number, isSo: () => Promise<boolean>) {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > ms) throw new Error(`not so after ${ms} ms`)
    await new Promise((done) => setTimeout(done, 10))
  }
  return performance.now() - start
}

test('sign-out deletes the session, and every node knows within a second', async () => {
  const browser = await signedIn()
  const stolen = `primo=${browser.jar.get('primo')}`
  expect(await browser.whoAmI()).toBe('ada@example.com')
  expect(await browser.whoAmI(secondNode.base)).toBe('ada@example.com')

  const answer = await browser.get('/api/logout')
  expect([answer.status, answer.location]).toEqual([302, '/'])
  expect(answer.headers.get('clear-site-data')).toBe('"cache","storage"')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.getSetCookie()).toEqual(['primo=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'])
  const { rows } = await shop.database.pool.query('SELECT 1 FROM sessions WHERE token_hash = $1', [keyOf(stolen)])
  expect(rows).toEqual([])
  for (const node of [shop, secondNode]) {
    await within(1000, async () => (await node.identity.identify(stolen)) === null)
  }
})

test('sign-out without a session redirects to the landing page', async () => {
  expect((await openBrowser(shop.base).get('/api/logout')).location).toBe('/')
})

test.each(['same-origin', 'none'])('a %s link signs out at once', async (site) => {
  const browser = await signedIn()
  expect((await browser.get('/api/logout', { 'sec-fetch-site': site })).status).toBe(302)
  expect(await browser.whoAmI()).toBeNull()
})

test('a link or image on another origin does not sign out', async () => {
  const browser = await signedIn()
  const notMeant: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' },
  ]
  for (const headers of notMeant) {
    const asked = await browser.get('/api/logout', headers)
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('<form class="stack" method="post" action="/api/logout">')
    expect(asked.headers.get('clear-site-data')).toBeNull()
  }
  expect(await browser.whoAmI()).toBe('ada@example.com')
  const confirmed = await browser.post('/api/logout', {}, { 'sec-fetch-site': 'same-origin', origin: shop.base })
  expect([confirmed.status, confirmed.location]).toEqual([303, '/'])
  expect(await browser.whoAmI()).toBeNull()
})

test('refuses a cookie with any changed character', async () => {
  const cookie = await shop.identity.createSession('ada@example.com')
  expect(await shop.identity.identify(cookie)).toMatchObject({ email: 'ada@example.com', role: 'member' })
  const value = decodeURIComponent(cookie.slice('primo='.length))
  const [token, signature] = value.split('.') as [string, string]
  const forged = createCookies({ secret: 'another secret', isSecure: false }).sessionPair(token)
  const wrong = [
    undefined,
    '',
    'primo=',
    'primo=.',
    'primo=%',
    `primo=${token}`,
    `primo=${token}.`,
    `primo=${token}.${'A'.repeat(43)}=`,
    `primo=${token.slice(1)}a.${signature}`,
    `primo=${token.toLowerCase()}.${signature}`,
    `primo=${token}.${signature.slice(4)}`,
    `primo=${token}.${signature}x.y`.replace('.', '..'),
    `other=${encodeURIComponent(value)}`,
    forged,
    `primo=${encodeURIComponent(`' OR 1=1 --.${signature}`)}`,
  ]
  for (const cookieHeader of wrong) expect(await shop.identity.identify(cookieHeader), cookieHeader).toBeNull()
  // finds the cookie among other cookies
  expect(await shop.identity.identify(`a=b; xprimo=1; ${cookie}; primo2=c`)).not.toBeNull()
})

test('a leaked table of sessions opens no session, even with the secret', async () => {
  const cookie = await shop.identity.createSession('ada@example.com')
  // 32 characters are 192 bits
  expect(tokenOf(cookie)).toMatch(/^[\w-]{32}$/)
  const key = Buffer.from(hkdfSync('sha256', 'a secret that all nodes of this test share', '', 'identity', 32))
  const signing = createCookies({ secret: key.toString('base64url'), isSecure: false })
  expect(signing.sessionPair(tokenOf(cookie))).toBe(cookie)
  const { rows } = await shop.database.pool.query<Record<string, unknown>>('SELECT * FROM sessions')
  for (const text of rows.flatMap((row) => Object.values(row).map(String))) {
    expect(text).not.toBe(tokenOf(cookie))
    expect(await shop.identity.identify(`primo=${text}`)).toBeNull()
    expect(await shop.identity.identify(signing.sessionPair(text))).toBeNull()
  }
})

test('a session ends after a day without use and after 14 days at the latest', async () => {
  const idle = await shop.identity.createSession('ada@example.com')
  await setSession(idle, `expires_at = now() - interval '1 second'`)
  expect(await shop.identity.identify(idle)).toBeNull()

  const old = await shop.identity.createSession('ada@example.com')
  await setSession(old, `created_at = now() - interval '14 days 1 second'`)
  expect(await shop.identity.identify(old)).toBeNull()
})

test('use prolongs a session, at most hourly and never beyond 14 days', async () => {
  const ends = async (cookie: string) => {
    const { rows } = await shop.database.pool.query<{ hours: number }>(
      'SELECT (extract(epoch FROM expires_at - now()) / 3600)::float8 AS hours FROM sessions WHERE token_hash = $1',
      [keyOf(cookie)],
    )
    return rows[0]!.hours
  }
  const used = await shop.identity.createSession('ada@example.com')
  await setSession(used, `updated_at = now() - interval '2 hours', expires_at = now() + interval '22 hours'`)
  await shop.identity.identify(used)
  await within(1000, async () => (await ends(used)) > 23.9)

  const recent = await shop.identity.createSession('ada@example.com')
  await setSession(recent, `updated_at = now() - interval '50 minutes', expires_at = now() + interval '22 hours'`)
  await shop.identity.identify(recent)

  const nearlyOver = await shop.identity.createSession('ada@example.com')
  await setSession(
    nearlyOver,
    `created_at = now() - interval '13 days 20 hours', updated_at = now() - interval '2 hours', expires_at = now() + interval '1 hour'`,
  )
  await shop.identity.identify(nearlyOver)
  await within(1000, async () => (await ends(nearlyOver)) > 3.9)
  expect(await ends(nearlyOver)).toBeLessThan(4.1)
  expect(await ends(recent)).toBeLessThan(22.1)
})

test('caches a session until the database reports a change', async () => {
  const cookie = await shop.identity.createSession('ada@example.com')
  const connect = vi.spyOn(shop.database.pool, 'connect')
  await Promise.all(Array.from({ length: 50 }, () => shop.identity.identify(cookie)))
  for (let i = 0; i < 50; i++) await shop.identity.identify(cookie)
  expect(connect).toHaveBeenCalledTimes(1)
  connect.mockRestore()

  // both nodes see a changed account at once
  expect(await secondNode.identity.identify(cookie)).toMatchObject({ email: 'ada@example.com' })
  const rename = (from: string, to: string) =>
    shop.database.pool.query('UPDATE users SET email = $2 WHERE email = $1', [from, to])
  await rename('ada@example.com', 'lovelace@example.com')
  for (const node of [shop, secondNode]) {
    await within(1000, async () => (await node.identity.identify(cookie))?.email === 'lovelace@example.com')
  }
  await rename('lovelace@example.com', 'ada@example.com')
})

test('a new role ends the sessions of the account on every node', async () => {
  await shop.identity.createUser({ email: 'role@example.com', password: PASSWORD })
  for (const isAdmin of [true, false]) {
    const before = await shop.identity.createSession('role@example.com')
    for (const node of [shop, secondNode])
      expect(await node.identity.identify(before)).toMatchObject({ role: isAdmin ? 'member' : 'admin' })
    // setting the same role does not end the session
    await shop.identity.createUser({ email: 'role@example.com', isAdmin: !isAdmin })
    expect(await shop.identity.identify(before)).not.toBeNull()
    await shop.identity.createUser({ email: 'role@example.com', isAdmin })
    for (const node of [shop, secondNode]) {
      await within(1000, async () => (await node.identity.identify(before)) === null)
    }
    const after = await shop.identity.createSession('role@example.com')
    expect(await shop.identity.identify(after)).toMatchObject({ role: isAdmin ? 'admin' : 'member' })
  }
})

test('caches nothing while notifications may be lost', async () => {
  const cookie = await shop.identity.createSession('ada@example.com')
  const key = createCookies({ secret: 'k', isSecure: false })
  const own = key.sessionPair(tokenOf(cookie))
  let tell: (payload: string | null) => void = () => {}
  let isUp = true
  const bus = {
    isUp: () => isUp,
    listen: async (_: string, listener: typeof tell) => void (tell = listener),
    close: async () => {},
  }
  let time = 0
  const identify = await watchSessions(shop.database, bus, key, { most: 2, clock: () => time })
  const connect = vi.spyOn(shop.database.pool, 'connect')
  const asks = async (work: () => Promise<unknown>) => {
    connect.mockClear()
    await work()
    return connect.mock.calls.length
  }
  expect(await asks(() => identify(own))).toBe(1)
  expect(await asks(() => identify(own))).toBe(0)
  // caches for 30 seconds at most
  time = 29_999
  expect(await asks(() => identify(own))).toBe(0)
  time = 30_000
  expect(await asks(() => identify(own))).toBe(1)
  // never caches beyond the expiry of the session
  await setSession(cookie, "expires_at = now() + interval '20 seconds'")
  tell(null)
  expect(await asks(() => identify(own))).toBe(1)
  time += 20_000
  expect(await asks(() => identify(own))).toBe(1)
  await setSession(cookie, "expires_at = now() + interval '1 day'")
  // a lost connection clears the cache, and each call reads the database until the connection is back
  isUp = false
  expect(await asks(() => identify(own))).toBe(1)
  tell(null)
  expect(await asks(() => identify(own))).toBe(1)
  expect(await asks(() => identify(own))).toBe(1)
  isUp = true
  expect(await asks(() => identify(own))).toBe(1)
  expect(await asks(() => identify(own))).toBe(0)
  // an eviction during the query prevents caching
  tell(keyOf(cookie))
  const asked = identify(own)
  tell(keyOf(cookie))
  await asked
  expect(await asks(() => identify(own))).toBe(1)
  // the cache has a limited size
  for (let i = 0; i < 2; i++)
    await identify(key.sessionPair(tokenOf(await shop.identity.createSession('ada@example.com'))))
  expect(await asks(() => identify(own))).toBe(1)
  connect.mockRestore()
})

test('the session lookup is one indexed statement', async () => {
  const cookie = await shop.identity.createSession('ada@example.com')
  await shop.database.pool.query(
    `INSERT INTO sessions (user_id, token_hash, expires_at)
     SELECT users.id, lpad(n::text, 43, '0'), now() FROM users, generate_series(1, 3000) n WHERE email = 'ada@example.com'`,
  )
  await shop.database.pool.query('ANALYZE sessions')
  const { rows } = await shop.database.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = '${keyOf(cookie)}'`,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan using sessions_token_hash_key')
  await shop.identity.jobs[0]!.run({})
  const left = await shop.database.pool.query('SELECT count(*)::int AS n FROM sessions WHERE expires_at <= now()')
  expect(left.rows[0].n).toBe(0)
})

test('restricts the session cookie to TLS, HTTP and its own site on a secure shop', () => {
  const cookies = createCookies({ secret: 'a secret that all nodes of this test share', isSecure: true })
  expect(cookies.setSession('token')).toMatch(
    /^__Host-primo=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure$/,
  )
})

test('creates an account once, updates only given fields, and ends sessions on a new password', async () => {
  const { createUser, createSession, identify } = shop.identity
  const id = await createUser({ email: ' Dora@Example.com', password: PASSWORD, firstName: 'Dora', isAdmin: true })
  const cookie = await createSession('dora@example.com')
  expect(await createUser({ email: 'dora@example.com' })).toBe(id)
  expect(await identify(cookie)).toEqual({ id, email: 'dora@example.com', role: 'admin' })
  const signIn = async (password: string) =>
    (await openBrowser(shop.base).post('/api/login/password', { email: 'dora@example.com', password })).status
  expect(await signIn(PASSWORD)).toBe(303)

  await createUser({ email: 'dora@example.com', password: 'another-harbour-72', lastName: 'Ex' })
  await within(1000, async () => (await identify(cookie)) === null)
  expect([await signIn(PASSWORD), await signIn('another-harbour-72')]).toEqual([401, 303])
  const { rows } = await shop.database.pool.query('SELECT name, first_name, last_name, role FROM users WHERE id = $1', [
    id,
  ])
  expect(rows).toEqual([{ name: 'Dora Ex', first_name: 'Dora', last_name: 'Ex', role: 'admin' }])

  await expect(createUser({ email: 'x@example.com', password: 'short' })).rejects.toThrow('at least 10')
  await expect(createUser({ email: 'nonsense' })).rejects.toThrow('email')
  await expect(createSession('nobody@example.com')).rejects.toThrow('There is no account')
})

test('twenty concurrent creations make one account', async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => shop.identity.createUser({ email: 'many@example.com' })),
  )
  expect(new Set(ids).size).toBe(1)
})
