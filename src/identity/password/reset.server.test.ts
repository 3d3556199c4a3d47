import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'

const OLD = 'violet-harbour-71'
const NEW = 'quiet-lantern-408'
let shop: TestNode
let drop: () => Promise<void>
let databaseUrl: string

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  databaseUrl = made.url
  shop = await openTestNode(made.url)
})
afterAll(async () => {
  await shop.close()
  await drop()
})

async function forgot(email: string, query = '') {
  await shop.identity.createUser({ email, password: OLD, emailVerified: false })
  const browser = openBrowser(shop.base)
  const answer = await browser.post(`/api/login/forgot${query}`, { email })
  return { browser, answer, ...(await shop.mailTo(email)) }
}
const signIn = async (email: string, password: string) =>
  (await openBrowser(shop.base).post('/api/login/password', { email, password })).status

test('a mailed link resets the password and ends every session', async () => {
  const { browser, path, subject } = await forgot('ada@example.com', '?returnTo=%2Fcart')
  expect(subject).toBe('Choose a new password')
  const thief = await shop.identity.createSession('ada@example.com')
  expect(await shop.identity.identify(thief)).not.toBeNull()

  const page = await browser.get(path)
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'strict-origin'])
  expect(page.text).toContain('autocomplete="new-password"')
  const done = await browser.post(path, { password: NEW })
  expect([done.status, done.location]).toEqual([303, '/api/login/password?changed=1&returnTo=%2Fcart'])
  expect((await browser.get(done.location!)).text).toContain('Your password is changed')

  // polls, because NOTIFY evicts the cached session with a delay
  await expect.poll(() => shop.identity.identify(thief)).toBeNull()
  expect([await signIn('ada@example.com', OLD), await signIn('ada@example.com', NEW)]).toEqual([401, 303])
  expect((await shop.mailTo('ada@example.com')).subject).toBe('Your password was changed')
  const { rows } = await shop.database.pool.query(`SELECT email_verified FROM users WHERE email = 'ada@example.com'`)
  expect(rows[0].email_verified).toBe(true)
})

test('the reset link works once', async () => {
  const { browser, path } = await forgot('once@example.com')
  const both = await Promise.all([browser.post(path, { password: NEW }), browser.post(path, { password: `${NEW}-b` })])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410])
  expect((await browser.get(path)).status).toBe(410)
  expect((await browser.post(path, { password: `${NEW}-c` })).status).toBe(410)
  expect(await signIn('once@example.com', `${NEW}-c`)).toBe(401)
})

test('a used reset link revokes the other links of its account only', async () => {
  const first = await forgot('twice@example.com')
  await first.browser.post('/api/login/forgot', { email: 'twice@example.com' })
  const second = await shop.mailTo('twice@example.com')
  const other = await forgot('somebody-else@example.com')
  expect(second.path).not.toBe(first.path)
  expect((await first.browser.post(first.path, { password: NEW })).status).toBe(303)
  expect((await first.browser.get(second.path)).status).toBe(410)
  expect((await first.browser.post(second.path, { password: `${NEW}-b` })).status).toBe(410)
  expect((await other.browser.get(other.path)).status).toBe(200)
})

test('the reset link works for an hour', async () => {
  const { browser, path } = await forgot('late@example.com')
  const { rows } = await shop.database.pool.query(
    'SELECT extract(epoch FROM max(expires_at) - now())::float8 AS seconds FROM verifications',
  )
  expect(rows[0].seconds).toBeGreaterThan(3500)
  expect(rows[0].seconds).toBeLessThanOrEqual(3600)
  await shop.database.pool.query(`UPDATE verifications SET expires_at = now() - interval '1 second'`)
  expect((await browser.get(path)).status).toBe(410)
  expect((await browser.post(path, { password: NEW })).status).toBe(410)
  expect(await signIn('late@example.com', OLD)).toBe(303)
})

test('a weak password does not use up the link', async () => {
  const { browser, path } = await forgot('weak@example.com')
  for (const password of ['', 'short', 'password123', 'weak@example.com', 'x'.repeat(201)]) {
    const answer = await browser.post(path, { password })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('id="password-problem"')
  }
  expect((await browser.post(path, { password: NEW })).status).toBe(303)
})

test('stores only a hash of the link', async () => {
  const { path } = await forgot('hashed@example.com')
  const token = new URLSearchParams(path.split('?')[1]).get('token')!
  const { rows } = await shop.database.pool.query('SELECT * FROM verifications')
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('an unknown address gets the same answer in the same time but no mail', async () => {
  await shop.identity.createUser({ email: 'known@example.com', password: OLD })
  const seen: unknown[] = []
  const took: number[] = []
  for (const email of ['known@example.com', 'nobody@example.com']) {
    const browser = openBrowser(shop.base)
    const start = performance.now()
    const { status, location, text, headers } = await browser.post('/api/login/forgot', { email })
    took.push(performance.now() - start)
    const sent = await browser.get(location!)
    seen.push([
      status,
      location,
      text,
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      sent.text,
    ])
  }
  expect(seen[0]).toEqual(seen[1])
  expect(Math.min(...took)).toBeGreaterThan(245)
  await expect(shop.mailTo('nobody@example.com')).rejects.toThrow()
  expect((await shop.mailTo('known@example.com')).subject).toBe('Choose a new password')
})

test.each(['', 'x', 'a'.repeat(24), '%00', '../..', '%ff', 'known@example.com'])(
  'rejects %j as a link token',
  async (token) => {
    const browser = openBrowser(shop.base)
    for (const page of ['reset', 'verify']) {
      const path = `/api/login/${page}?token=${token}`
      expect((await browser.get(path)).status).toBe(410)
      expect((await browser.post(path, page === 'reset' ? { password: NEW } : {})).status).toBe(410)
    }
  },
)

test('a link of one kind does not work as another', async () => {
  const { browser, path } = await forgot('kinds@example.com')
  const token = new URLSearchParams(path.split('?')[1]).get('token')
  expect((await browser.get(`/api/login/verify?token=${token}`)).status).toBe(410)
  await browser.post('/api/login/sign-up', { email: 'kinds2@example.com' })
  const signUp = (await shop.mailTo('kinds2@example.com')).path.replace('verify', 'reset')
  expect((await browser.get(signUp)).status).toBe(410)
})

test('a reset clears wrong attempts on every network', async () => {
  const strict = await openTestNode(databaseUrl, { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
  onTestFinished(() => strict.close())
  const email = 'locked@example.com'
  await strict.identity.createUser({ email, password: OLD })
  const laptop = openBrowser(strict.base, { 'x-forwarded-for': '203.0.113.9' })
  const phone = openBrowser(strict.base, { 'x-forwarded-for': '198.51.100.9' })
  for (let i = 0; i < 5; i++) await laptop.post('/api/login/password', { email, password: 'not-this-one-12' })
  expect((await laptop.post('/api/login/password', { email, password: OLD })).status).toBe(429)
  await phone.post('/api/login/forgot', { email })
  expect((await phone.post((await strict.mailTo(email)).path, { password: NEW })).status).toBe(303)
  const answer = await laptop.post('/api/login/password', { email, password: NEW })
  expect([answer.status, answer.location]).toEqual([303, '/'])
})

test('redirects a browser with an invalid address to a page that shows the problem', async () => {
  const browser = openBrowser(shop.base)
  const answer = await browser.post('/api/login/forgot', { email: 'ada' }, { 'sec-fetch-dest': 'document' })
  expect([answer.status, answer.location]).toEqual([303, '/api/login/forgot?refused=1'])
  const page = await browser.get(answer.location!)
  expect([page.status, page.text.includes('value="ada"'), page.text.includes('role="alert"')]).toEqual([
    400,
    true,
    true,
  ])
  // another form does not show the problem
  expect((await browser.get('/api/login/password?refused=1')).text).not.toContain('role="alert"')
})
