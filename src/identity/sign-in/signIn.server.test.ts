import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'

const PASSWORD = 'violet-harbour-71'
const ADA = { email: 'ada@example.com', password: PASSWORD }
let shop: TestNode
let strict: TestNode
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  shop = await openTestNode(made.url)
  strict = await openTestNode(made.url, { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  await shop.identity.createUser({ ...ADA, firstName: 'Ada' })
  await shop.identity.createUser({ email: 'bob@example.com', password: PASSWORD })
})
afterAll(async () => {
  await shop.close()
  await strict.close()
  await drop()
})

const signedIn = async (form = ADA, headers: Record<string, string> = {}) => {
  const browser = openBrowser(shop.base, headers)
  await browser.post('/api/login/password', form)
  return browser
}
const sessionsOf = async (email: string) =>
  (
    await shop.database.pool.query<{ token: string; user_agent: string; ip_address: string }>(
      'SELECT s.* FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 ORDER BY s.created_at',
      [email],
    )
  ).rows

test('sign-in begins at one address and ends at the requested page', async () => {
  const browser = openBrowser(shop.base)
  expect((await browser.get('/api/login')).location).toBe('/api/login/password')
  const begun = await browser.get('/api/login?returnTo=%2Forders')
  expect([begun.status, begun.location]).toEqual([302, '/api/login/password?returnTo=%2Forders'])

  const page = await browser.get(begun.location!)
  const action = /<form[^>]*action="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
  const answer = await browser.post(action, { ...ADA, email: ' ADA@example.com' })
  expect([answer.status, answer.location]).toEqual([303, '/orders'])
  expect(await browser.whoAmI()).toBe('ada@example.com')

  for (const path of ['/api/login', '/api/login/password', '/api/login/sign-up']) {
    expect((await browser.get(`${path}?returnTo=%2Fcart`)).location).toBe('/cart')
  }
})

test('returns the specified 401 to a visitor without a session', async () => {
  const answer = await openBrowser(shop.base).get('/api/auth/user')
  expect([answer.status, answer.text]).toEqual([401, '{"message":"Unauthorized"}'])
})

test('a wrong password and an unknown address get the same bytes in the same time', async () => {
  const seen = []
  for (const form of [
    { email: 'ada@example.com', password: 'not-this-one-12' },
    { email: 'eve@example.com', password: 'not-this-one-12' },
  ]) {
    const start = performance.now()
    const answer = await openBrowser(shop.base).post('/api/login/password', form)
    expect(performance.now() - start).toBeGreaterThan(245)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.text).not.toContain('not-this-one-12')
    seen.push([answer.status, answer.text.replaceAll(form.email, '<email>')])
  }
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]![0]).toBe(401)
  expect(seen[0]![1]).toContain('role="alert"')
})

test('does not truncate, trim or fold the password', async () => {
  for (const password of [
    `${PASSWORD} `,
    PASSWORD.toUpperCase(),
    `${PASSWORD}\0`,
    PASSWORD.slice(0, -1),
    'x'.repeat(201),
  ]) {
    const answer = await openBrowser(shop.base).post('/api/login/password', { email: ADA.email, password })
    expect([400, 401]).toContain(answer.status)
    expect(answer.headers.getSetCookie()).toEqual([])
  }
})

test('the session cookie is host-only and hidden from scripts', async () => {
  const [line] = (await openBrowser(shop.base).post('/api/login/password', ADA)).headers.getSetCookie()
  expect(line).toMatch(/^primo=[\w-]{32}\.[\w%]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/)
})

test('sign-in creates a new session and never adopts the one in the cookie', async () => {
  // the attacker plants a session in the victim's browser
  const planted = await shop.identity.createSession('bob@example.com')
  const victim = openBrowser(shop.base)
  victim.jar.set('primo', planted.slice('primo='.length))
  await victim.post('/api/login/password', ADA)
  expect(`primo=${victim.jar.get('primo')}`).not.toBe(planted)
  expect(await victim.whoAmI()).toBe('ada@example.com')
  // sign-in ends the planted session on every node
  await expect.poll(() => shop.identity.identify(planted)).toBeNull()

  // an unsigned value is never adopted
  const other = openBrowser(shop.base)
  other.jar.set('primo', 'A'.repeat(32))
  await other.post('/api/login/password', ADA)
  expect(other.jar.get('primo')).not.toContain('AAAAAAAA')
})

test('a second sign-in ends the former session of the same browser only', async () => {
  const phone = await signedIn({ email: 'bob@example.com', password: PASSWORD }, { 'user-agent': 'phone' })
  const laptop = await signedIn({ email: 'bob@example.com', password: PASSWORD }, { 'user-agent': 'laptop' })
  const before = laptop.jar.get('primo')
  await laptop.post('/api/login/password', { email: 'bob@example.com', password: PASSWORD })
  expect(laptop.jar.get('primo')).not.toBe(before)
  expect((await sessionsOf('bob@example.com')).map((row) => row.user_agent)).toEqual(['phone', 'laptop'])
  expect(await phone.whoAmI()).toBe('bob@example.com')
})

test('a session stores the address and the user agent', async () => {
  await strict.identity.createUser({ email: 'carol@example.com', password: PASSWORD })
  const browser = openBrowser(strict.base, {
    'user-agent': `Mozilla ${'x'.repeat(900)}`,
    'x-forwarded-for': '203.0.113.9',
  })
  await browser.post('/api/login/password', { email: 'carol@example.com', password: PASSWORD })
  const [session] = await sessionsOf('carol@example.com')
  expect(session!.ip_address).toBe('203.0.113.9')
  expect(session!.user_agent).toHaveLength(300)
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', 'javascript:alert(1)'])(
  'sign-in never redirects to another site: %s',
  async (returnTo) => {
    const query = `?returnTo=${encodeURIComponent(returnTo)}`
    const browser = openBrowser(shop.base)
    expect((await browser.get(`/api/login${query}`)).location).toBe('/api/login/password')
    expect((await browser.get(`/api/login/password${query}`)).text).not.toContain('evil')
    expect((await browser.post(`/api/login/password${query}`, ADA)).location).toBe('/')
    expect((await browser.get(`/api/login${query}`)).location).toBe('/')
  },
)

test.each([
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
])('rejects a sign-in form of another site: %j', async (headers, status) => {
  const browser = openBrowser(shop.base)
  for (const page of ['password', 'sign-up', 'forgot', 'verify-sent', 'verify?token=x', 'reset?token=x']) {
    expect((await browser.post(`/api/login/${page}`, ADA, headers)).status).toBe(status)
  }
  expect((await browser.post('/api/logout', {}, headers)).status).toBe(status)
  expect(browser.jar.size).toBe(0)
})

test.each([
  ['application/json', JSON.stringify(ADA), 415],
  ['text/plain', 'email=ada@example.com', 415],
  ['multipart/form-data; boundary=x', '--x--', 415],
  ['application/x-www-form-urlencoded', 'email=ada%40example.com&password=x&password=violet-harbour-71', 400],
  ['application/x-www-form-urlencoded', 'email=%00&password=x', 400],
  ['application/x-www-form-urlencoded', Buffer.from([0x65, 0xff]), 400],
  ['application/x-www-form-urlencoded', `email=${'a'.repeat(70_000)}`, 413],
  ['application/x-www-form-urlencoded', '', 400],
  ['application/x-www-form-urlencoded; charset=utf-8', 'email=ada%40example.com&password=violet-harbour-71', 303],
])('checks the form encoding: %s', async (type, body, status) => {
  const answer = await fetch(`${shop.base}/api/login/password`, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
    redirect: 'manual',
  })
  expect(answer.status).toBe(status)
})

test('five wrong passwords block the network of the attacker, not the owner', async () => {
  const attacker = openBrowser(strict.base, { 'x-forwarded-for': '203.0.113.66' })
  const wrong = { email: 'ada@example.com', password: 'not-this-one-12' }
  for (let i = 0; i < 5; i++) expect((await attacker.post('/api/login/password', wrong)).status).toBe(401)
  const refused = await attacker.post('/api/login/password', { ...ADA, email: 'Ada@Example.com' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(refused.text).toMatch(/Too many wrong passwords .* Wait \d+ minutes/s)
  expect(refused.text).toContain('value="ada@example.com"')

  const owner = openBrowser(strict.base, { 'x-forwarded-for': '198.51.100.7' })
  expect((await owner.post('/api/login/password', ADA)).status).toBe(303)
})

test('correct passwords do not count as attempts', async () => {
  const owner = openBrowser(strict.base, { 'x-forwarded-for': '198.51.100.8' })
  for (let i = 0; i < 8; i++) expect((await owner.post('/api/login/password', ADA)).status).toBe(303)
})

test('limits sign-ins of a network that tries many accounts', async () => {
  const attacker = openBrowser(strict.base, { 'x-forwarded-for': '203.0.113.67' })
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const form = { email: `user${i}@example.com`, password: 'not-this-one-12' }
      return (await attacker.post('/api/login/password', form)).status
    }),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(9)
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
})

test.each([
  ['sign-up', { email: 'flood@example.com' }],
  ['forgot', { email: 'ada@example.com' }],
])('limits the mails that %s sends to one address', async (page, form) => {
  const attacker = openBrowser(strict.base, { 'x-forwarded-for': `203.0.113.${page.length}` })
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await attacker.post(`/api/login/${page}`, form)).status)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
})

test('every page sets its framing, caching and referrer policies', async () => {
  for (const page of ['password', 'sign-up', 'forgot', 'verify-sent', 'verify?token=x', 'reset?token=x']) {
    const { headers, text } = await openBrowser(shop.base).get(`/api/login/${page}`)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    const script = /<script>(.*?)<\/script>/s.exec(text)![1]!
    const hash = createHash('sha256').update(script).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('caches the style sheet for a year under a hashed address', async () => {
  const browser = openBrowser(shop.base)
  const path = /href="(\/api\/login\/pages\.css\?v=[\w-]{12})"/.exec(
    (await browser.get('/api/login/password')).text,
  )![1]!
  const style = await browser.get(path, { 'accept-encoding': 'br' })
  expect(style.headers.get('cache-control')).toContain('immutable')
  expect(style.headers.get('content-encoding')).toBe('br')
})

test('offers no identity endpoints beyond its own', async () => {
  const browser = openBrowser(shop.base)
  for (const path of [
    '/api/identity/get-session',
    '/api/identity/ok',
    '/api/auth/get-session',
    '/api/auth/list-sessions',
  ]) {
    expect((await browser.get(path)).text).toBe('landing')
    expect((await browser.post(path, {})).status).toBe(404)
  }
})

const OPENING = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }

test('redirects a failed sign-in to a page, so that Back does not post again', async () => {
  const browser = openBrowser(shop.base)
  const wrong = { email: 'ada@example.com', password: 'not-this-one-12' }
  const answer = await browser.post('/api/login/password?returnTo=%2Fcart', wrong, OPENING)
  expect([answer.status, answer.location]).toEqual([303, '/api/login/password?returnTo=%2Fcart&refused=1'])
  expect(answer.headers.getSetCookie().join()).not.toContain('not-this-one-12')
  for (let i = 0; i < 2; i++) {
    const page = await browser.get(answer.location!)
    expect(page.status).toBe(401)
    expect(page.text).toContain('don’t match an account')
    expect(page.text).toContain('value="ada@example.com"')
    expect(page.text).not.toContain('not-this-one-12')
    expect(page.text).toContain('action="/api/login/password?returnTo=%2Fcart"')
  }
  // the sign-in page without `refused` does not show the problem
  expect((await browser.get('/api/login/password')).text).not.toContain('don’t match')

  const empty = await browser.post('/api/login/password', { email: 'ada', password: '' }, OPENING)
  const page = await browser.get(empty.location!)
  expect([page.status, page.text.includes('Enter your password.')]).toEqual([400, true])
})

test('shows the seconds to wait on the page after a failed sign-in', async () => {
  const browser = openBrowser(strict.base, { 'x-forwarded-for': '203.0.113.99' })
  const wrong = { email: 'bob@example.com', password: 'not-this-one-12' }
  for (let i = 0; i < 5; i++) await browser.post('/api/login/password', wrong, OPENING)
  const page = await browser.get((await browser.post('/api/login/password', wrong, OPENING)).location!)
  expect(page.status).toBe(429)
  expect(page.text).toMatch(/Too many wrong passwords .* Wait \d+ (seconds|minutes)/s)
})

test('a forged link or cookie cannot make the sign-in page show a message', async () => {
  const link = '/api/login/password?refused=1&message=hacked&email=eve%40evil.example'
  const fresh = await openBrowser(shop.base).get(link)
  expect([fresh.status, /hacked|evil/.test(fresh.text)]).toEqual([200, false])
  const browser = openBrowser(shop.base)
  await browser.post('/api/login/password', { email: 'ada@example.com', password: 'no' }, OPENING)
  const [body, signature] = browser.jar.get('primo-form')!.split('.')
  const text = Buffer.from(body!, 'base64url').toString().replace('don’t match', 'were hacked, call evil')
  for (const value of [`${Buffer.from(text).toString('base64url')}.${signature}`, `${body}.`, body!, 'x.y', '']) {
    browser.jar.set('primo-form', value)
    const page = await browser.get(link)
    expect([page.status, /evil|role="alert"/.test(page.text)]).toEqual([200, false])
  }
})
