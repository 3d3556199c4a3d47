import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { openBrowser, openTestNode, type TestNode } from '../../../test/identity.ts'

// Limits against an attacker who varies the node, the network and the typed text.

let nodes: TestNode[]
let drop: () => Promise<void>
const password = 'tame otters sing'
const email = 'ada@shop.example'

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  const settings = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' }
  nodes = [await openTestNode(made.url, settings), await openTestNode(made.url, settings)]
  await nodes[0]!.identity.createUser({ email, password })
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  await drop()
})

const from = (node: number, ip: string) => openBrowser(nodes[node]!.base, { 'x-forwarded-for': ip })
const signIn = (node: number, ip: string, form: Record<string, string>) =>
  from(node, ip).post('/api/login/password', form)

test('all nodes together count attempts on one account', async () => {
  const statuses = []
  for (let i = 0; i < 7; i++)
    statuses.push((await signIn(i % 2, '203.0.113.1', { email, password: `wrong number ${i}` })).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  const refused = await signIn(0, '203.0.113.1', { email, password })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(refused.text).toMatch(/Too many wrong passwords .* Wait \d+ minutes/s)
})

test('the owner signs in while forty networks guess passwords', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => signIn(i % 2, `203.0.113.${100 + i}`, { email, password: 'wrong number' })),
  )
  expect((await signIn(1, '198.51.100.7', { email, password })).status).toBe(303)
})

test.each([
  ['the spelling of the address', (i: number) => `${i % 2 ? 'ADA' : ' Ada'}@shop.example`],
  ['another address each time', (i: number) => `user${i}@shop.example`],
])('a caller who varies %s gets no more attempts', async (what, typed) => {
  const ip = what.startsWith('another') ? '203.0.113.50' : '203.0.113.51'
  // concurrently, because the limit refills an attempt every seven seconds
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, i) => signIn(i % 2, ip, { email: typed(i), password: 'wrong number' })),
  )
  const countOf = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  expect(countOf(401)).toBeLessThanOrEqual(9)
  expect(countOf(401) + countOf(429)).toBe(14)
})

test('sign-ups and forgotten passwords from many networks send one address twenty mails a day', async () => {
  const victim = { email: 'victim@shop.example' }
  const posts = Array.from({ length: 24 }, (_, i) => {
    const browser = from(i % 2, `198.51.100.${100 + i}`)
    return i % 3 === 0 ? browser.post('/api/login/forgot', victim) : browser.post('/api/login/sign-up', victim)
  })
  const answers = await Promise.all(posts)
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
})

test('one network spends at most eight of the twenty mails, and known browsers have their own budget', async () => {
  const victim = 'carol@shop.example'
  await nodes[0]!.identity.createUser({ email: victim, password })
  const known = from(0, '203.0.113.70')
  expect((await known.post('/api/login/password', { email: victim, password })).status).toBe(303)
  known.jar.delete('primo')
  const ask = async (ip: string) => (await from(0, ip).post('/api/login/link', { email: victim })).status
  const { pool } = nodes[0]!.database
  // the budget of 15 minutes is a separate one
  const forget = () => pool.query(`DELETE FROM shared_limits WHERE full_at < now() + interval '16 minutes'`)
  const statuses = []
  for (let i = 0; i < 12; i++) {
    await forget()
    statuses.push(await ask('203.0.113.71'))
  }
  expect(statuses.filter((status) => status === 303)).toHaveLength(8)
  for (let i = 0; i < 20; i++) await ask(`198.51.100.${150 + i}`)
  expect(await ask('198.51.100.199')).toBe(429)
  expect((await known.post('/api/login/link', { email: victim })).status).toBe(303)
  const { path } = await nodes[0]!.mailTo(victim)
  expect((await known.get(path)).status).toBe(303)
  expect(await ask('198.51.100.198')).toBe(303)
})

test('an IPv6 /48 gets the form limit of ten networks, not of 65,536', async () => {
  const ask = async (ip: string) =>
    (await from(0, ip).post('/api/login/forgot', { email: `${ip.replaceAll(':', '-')}@shop.example` })).status
  const all = Array.from({ length: 130 }, (_, i) => `2001:db8:77:${i.toString(16)}::1`)
  const statuses = await Promise.all(all.map(ask))
  expect(statuses.filter((status) => status === 303).length).toBeGreaterThanOrEqual(90)
  expect(statuses).toContain(429)
  expect(await ask('2001:db8:78::1')).toBe(303)
})

test('all nodes share the limits of mails per address and of sign-ups per network', async () => {
  const ask = async (i: number) => (await from(i % 2, '203.0.113.60').post('/api/login/forgot', { email })).status
  const statuses = []
  for (let i = 0; i < 7; i++) statuses.push(await ask(i))
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429])
})

test('an IPv6 /48 gets four times the attempts on an account and does not use up those of other networks', async () => {
  const victim = 'bob@shop.example'
  await nodes[0]!.identity.createUser({ email: victim, password })
  const wrong = { email: victim, password: 'wrong number' }
  const addresses = (site: string) => Array.from({ length: 24 }, (_, i) => `2001:db8:${site}:${i.toString(16)}::1`)
  const guesses = []
  for (const ip of addresses('91')) guesses.push((await signIn(0, ip, wrong)).status)
  expect(guesses).toEqual([...Array<number>(20).fill(401), ...Array<number>(4).fill(429)])
  const mails = []
  for (const ip of addresses('92')) mails.push((await from(1, ip).post('/api/login/forgot', { email: victim })).status)
  expect(mails.filter((status) => status === 303)).toHaveLength(8)
  const owner = { email: victim, password }
  for (const ip of ['2001:db8:93::1', '198.51.100.9']) expect((await signIn(1, ip, owner)).status).toBe(303)
  // successful sign-ins do not count against the limit of the /48
  for (const ip of addresses('94')) expect((await signIn(0, ip, owner)).status).toBe(303)
})
