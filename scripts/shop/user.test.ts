import { expect, test, vi } from 'vitest'
import { withClient } from './connection.ts'
import { makeStore } from './store.test.help.ts'

type Store = Awaited<ReturnType<typeof makeStore>>

const rowsOf = (store: Store, text: string, values: unknown[] = []) =>
  withClient(store.url, async (client) => (await client.query(text, values)).rows)
const countSessions = async (store: Store) => (await rowsOf(store, 'SELECT id FROM sessions')).length

async function signIn(url: string, email: string, password: string) {
  const body = new URLSearchParams({ email, password })
  const request = { method: 'POST', body, headers: { origin: url }, redirect: 'manual' } as const
  // A shop that has just started may be busy.
  const answer = await vi.waitUntil(
    async () => {
      const given = await fetch(`${url}/api/login/password`, request)
      return given.status !== 503 && given
    },
    { timeout: 20_000 },
  )
  return answer.headers.getSetCookie().some((cookie) => /^primo=[\w-]/.test(cookie))
}

test('creates an account and prints its generated password once', async () => {
  const store = await makeStore()
  const added = await store.run('user add Ada@Shop.example --admin --first-name Ada --last-name Lovelace')
  expect(added).toMatchObject({ code: 0, err: [] })
  expect(added.out[0]).toBe('Added ada@shop.example as an admin.')
  const password = /^Password: (\S{20})/.exec(added.out[1]!)![1]!
  expect(await rowsOf(store, 'SELECT email, role, name, email_verified FROM users')).toEqual([
    { email: 'ada@shop.example', role: 'admin', name: 'Ada Lovelace', email_verified: true },
  ])
  const { server } = await store.open()
  expect(await signIn(server.url, 'ada@shop.example', password)).toBe(true)
  expect(await signIn(server.url, 'ada@shop.example', 'another password')).toBe(false)
})

test('creates an account with a role', async () => {
  const store = await makeStore()
  const added = await store.run('user add fin@shop.example --role finance')
  expect(added).toMatchObject({ code: 0, err: [] })
  expect(added.out[0]).toBe('Added fin@shop.example with the role finance.')
  expect(await rowsOf(store, 'SELECT email, role FROM users')).toEqual([{ email: 'fin@shop.example', role: 'finance' }])
})

test('reads a password from standard input and never prints it', async () => {
  const store = await makeStore()
  const added = await store.run('user add bob@shop.example --password-stdin', 'tame otters sing\n')
  expect(added).toEqual({ code: 0, out: ['Added bob@shop.example.'], err: [] })
  const changed = await store.run('user password bob@shop.example --password-stdin', 'wild otters hum\r\n')
  expect(changed.out).toEqual(['bob@shop.example has a new password and is signed out everywhere.'])
  const { server } = await store.open()
  expect(await signIn(server.url, 'bob@shop.example', 'wild otters hum')).toBe(true)
  expect(await signIn(server.url, 'bob@shop.example', 'tame otters sing')).toBe(false)
})

test.each([
  ['user add ada', '', 'Enter an email address'],
  ['user add ada@shop.example --password-stdin', 'short', 'at least 10 characters'],
  ['user add ada@shop.example --rank admin', '', "Unknown option '--rank'. Usage:"],
  ['user add ada@shop.example --role boss', '', '--role: give member, support, finance, admin.'],
  ['user add ada@shop.example --role admin --admin', '', 'Give --admin or --role, not both.'],
  ['user add', '', 'Usage: npm run shop -- user add <email>'],
  ['user add a@b.example c@d.example', '', 'Usage:'],
  ['user role ada@shop.example boss', '', '<role>: give member, support, finance, admin.'],
  ['user role nobody@shop.example admin', '', 'There is no account for nobody@shop.example.'],
  ['user password nobody@shop.example', '', 'There is no account'],
  ['session nobody@shop.example', '', 'There is no account'],
])('rejects %s in one line', async (command, input, complaint) => {
  const store = await makeStore()
  const refused = await store.run(command, input)
  expect(refused).toMatchObject({ code: 1, out: [], err: [expect.stringContaining(complaint)] })
  expect(refused.err[0]).not.toContain('\n')
  expect(await rowsOf(store, 'SELECT id FROM users')).toEqual([])
})

test('refuses to create an existing account', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example')
  const before = await rowsOf(store, 'SELECT password FROM accounts')
  expect((await store.run('user add ADA@shop.example --admin')).err).toEqual([
    expect.stringContaining('has an account already'),
  ])
  expect(await rowsOf(store, 'SELECT password FROM accounts')).toEqual(before)
})

test('ends only the sessions of the account whose role changes', async () => {
  const store = await makeStore()
  for (const name of ['ada', 'bob']) {
    await store.run(`user add ${name}@shop.example`)
    await store.run(`session ${name}@shop.example`)
  }
  expect(await countSessions(store)).toBe(2)
  expect((await store.run('user role ada@shop.example admin')).out[0]).toContain('has the role admin now')
  expect(await countSessions(store)).toBe(1)
  await store.run('session ada@shop.example')
  expect((await store.run('user role ada@shop.example admin')).out).toEqual([
    'ada@shop.example has the role admin already.',
  ])
  expect(await countSessions(store)).toBe(2)
  expect((await store.run('user role ada@shop.example support')).out[0]).toContain('has the role support now')
  expect(await countSessions(store)).toBe(1)
  expect((await store.run('user list')).out.map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
    ['ada@shop.example', 'support'],
    ['bob@shop.example', 'member'],
  ])
})

test('lists all accounts across pages', async () => {
  const store = await makeStore()
  await rowsOf(
    store,
    `INSERT INTO users (email) SELECT 'user' || n || '@shop.example' FROM generate_series(1, 2345) AS n`,
  )
  const { out } = await store.run('user list')
  expect(new Set(out.map((line) => line.split(' ')[0])).size).toBe(2345)
})

test('turns the second factor off, so that the password alone signs in', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example --password-stdin', 'tame otters sing\n')
  await rowsOf(
    store,
    `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) SELECT id, 'x', now() FROM users`,
  )
  const { server } = await store.open()
  expect(await signIn(server.url, 'ada@shop.example', 'tame otters sing')).toBe(false)
  const off = await store.run('user second-factor-off ada@shop.example')
  expect(off).toEqual({ code: 0, out: ['ada@shop.example signs in with the password alone.'], err: [] })
  expect(await signIn(server.url, 'ada@shop.example', 'tame otters sing')).toBe(true)
  expect((await store.run('user second-factor-off ada@shop.example')).out).toEqual([
    'ada@shop.example has no second factor.',
  ])
})

test('mails a newsletter to subscribers only', async () => {
  const store = await makeStore()
  for (const name of ['ada', 'bob']) await store.run(`user add ${name}@shop.example`)
  await rowsOf(store, `UPDATE users SET wants_news = true WHERE email = 'ada@shop.example'`)
  expect((await store.run('newsletter --subject Sale', '')).err).toEqual(['Give the text on standard input.'])
  expect((await store.run('newsletter', 'Text')).err[0]).toContain('--subject')
  expect((await store.run('newsletter --subject Sale', 'One.\n\nTwo.\n')).out).toEqual(['Queued 1 mail.'])
  expect(await rowsOf(store, `SELECT recipient, subject FROM mails`)).toEqual([
    { recipient: 'ada@shop.example', subject: 'Sale' },
  ])
  expect(await rowsOf(store, `SELECT act FROM audit ORDER BY id DESC LIMIT 1`)).toEqual([{ act: 'news.sent' }])
})
