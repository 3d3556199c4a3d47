import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openShopForTests, openTestShop, type Person, type TestShop } from '../../test/shop.ts'
import { openBus } from '../kit/bus.server.ts'
import { openChangeFeed } from './changeFeed.server.ts'

const open = openShopForTests()

async function listen(shop: TestShop, { cookie }: Pick<Person, 'cookie'>) {
  const leaving = new AbortController()
  const response = await fetch(`${shop.url}/api/events`, { headers: { cookie }, signal: leaving.signal })
  const heard: string[] = []
  const ended = (async () => {
    const text = new TextDecoder()
    for await (const chunk of response.body!) {
      heard.push(...[...text.decode(chunk).matchAll(/^data: (.+)$/gm)].map(([, topic]) => topic!))
    }
  })().catch(() => undefined)
  return { response, heard, ended, leave: () => leaving.abort() }
}

const ORDER = `INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at)
  VALUES ($1, 'key', 'hash', 'cart', 100, now() + interval '1 hour') RETURNING id`

test("sends a page its own member's events only", async () => {
  const { shop } = open
  const [mine, other, admin] = [await shop.join(), await shop.join(), await shop.join({ isAdmin: true })]
  const [me, them, staff] = [await listen(shop, mine), await listen(shop, other), await listen(shop, admin)]
  expect(me.response.headers.get('content-type')).toContain('text/event-stream')
  await shop.database.pool.query(ORDER, [mine.id])
  await expect.poll(() => me.heard).toEqual(['orders'])
  await shop.database.pool.query(`UPDATE orders SET updated_at = now() WHERE user_id = $1`, [mine.id])
  await shop.database.pool.query(`UPDATE orders SET status = 'failed' WHERE user_id = $1`, [mine.id])
  await expect.poll(() => me.heard).toEqual(['orders', 'orders'])
  await shop.database.pool.query(
    `WITH talk AS (INSERT INTO chat_conversations (user_id, last_at) VALUES ($1, now()) RETURNING user_id)
     INSERT INTO chat_messages (user_id, author, message) SELECT user_id, 'admin', 'Hello' FROM talk`,
    [mine.id],
  )
  await expect.poll(() => me.heard).toEqual(['orders', 'orders', 'chat'])
  await expect.poll(() => staff.heard).toEqual(['inbox'])
  expect(them.heard).toEqual([])
  for (const { leave } of [me, them, staff]) leave()
})

test('repeats recent changes to a page that connects after it has read its data', async () => {
  const { shop } = open
  const [mine, other] = [await shop.join(), await shop.join()]
  const early = await listen(shop, mine)
  await shop.database.pool.query(ORDER, [mine.id])
  await expect.poll(() => early.heard).toEqual(['orders'])
  const [late, them] = [await listen(shop, mine), await listen(shop, other)]
  await expect.poll(() => late.heard).toEqual(['orders'])
  expect([early.heard, them.heard]).toEqual([['orders'], []])
  for (const { leave } of [early, late, them]) leave()
})

test('closes the connection of an ended session at once and keeps the others', async () => {
  const { shop } = open
  const [mine, other] = [await shop.join(), await shop.join()]
  const [me, them] = [await listen(shop, mine), await listen(shop, other)]
  await shop.database.pool.query('DELETE FROM sessions WHERE user_id = $1', [mine.id])
  await me.ended
  await shop.database.pool.query(ORDER, [other.id])
  await expect.poll(() => them.heard).toEqual(['orders'])
  expect((await fetch(`${shop.url}/api/events`, { headers: { cookie: mine.cookie } })).status).toBe(401)
  them.leave()
})

test('runs no SQL for a thousand idle pages', async () => {
  let asked = 0
  let beats = 0
  const listeners = new Map<string, (payload: string | null) => void>()
  const bus = {
    listen: async (channel: string, heard: (payload: string | null) => void) => listeners.set(channel, heard),
  }
  const user = (n: string) => ({ id: n, email: 'a@b.example', role: 'member' as const })
  const sessions = {
    identify: async (cookie?: string) => (asked++, user(cookie!)),
    sessionKeyOf: (cookie?: string) => `key of ${cookie}`,
  }
  const feed = await openChangeFeed(bus as never, sessions, { beatMs: 5 })
  for (let n = 0; n < 1000; n++) {
    const signal = new AbortController().signal
    const given = { user: user(String(n)), header: () => String(n), signal }
    const { body } = await feed.route.run(given as never)
    ;(body as Readable).on('data', (chunk: Buffer) => (beats += String(chunk).split(': here').length - 1))
  }
  await expect.poll(() => beats).toBeGreaterThan(3000)
  expect(asked).toBe(0)
  listeners.get('sessions')!('key of 7')
  expect(asked).toBe(1)
  // After lost notifications, the feed checks each session once.
  listeners.get('sessions')!(null)
  await expect.poll(() => asked).toBe(1001)
  feed.stop()
})

test('rejects a page without a session', async () => {
  const { shop } = open
  expect((await fetch(`${shop.url}/api/events`)).status).toBe(401)
})

test('the shop can stop while pages are connected', async () => {
  const shop = await openTestShop()
  const { ended, response } = await listen(shop, await shop.join())
  expect(response.status).toBe(200)
  await shop.close()
  await ended
})

test('the seventh connection of a member closes the oldest; an ended session closes all', async () => {
  const { shop } = open
  const bus = await openBus(shop.databaseUrl)
  onTestFinished(() => bus.close())
  let isSignedIn = true
  const user = { id: '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f', email: 'a@b.example', role: 'member' as const }
  const identify = async () => (isSignedIn ? user : null)
  const feed = await openChangeFeed(bus, { identify, sessionKeyOf: () => 'key' }, { beatMs: 20, checkMs: 20 })
  onTestFinished(() => feed.stop())
  const page = () => feed.route.run({ user, header: () => 'cookie', signal: new AbortController().signal } as never)
  const pages: Readable[] = []
  // No page reads yet: a replaced connection gets no further writes and does not count any more.
  for (let i = 0; i < 8; i++) pages.push((await page()).body as Readable)
  const drain = async (body: AsyncIterable<Buffer>) => {
    let text = ''
    for await (const chunk of body) text += String(chunk)
    return text
  }
  // The replaced page reconnects late, so that seven pages do not replace each other forever.
  expect(await drain(pages[0]!)).toMatch(/^retry: 3000\n\n(: here\n\n)*retry: 60000\n\n$/)
  expect(await drain(pages[1]!)).toMatch(/retry: 60000\n\n$/)
  isSignedIn = false
  expect(await drain(pages[7]!)).toContain(': here')
})

test('disconnects a page that does not read and limits the number of connections', async () => {
  let tell: (payload: string | null) => void = () => undefined
  const bus = {
    listen: async (channel: string, heard: typeof tell) => {
      if (channel === 'members') tell = heard
    },
  }
  const user = (n: number) => ({ id: `reader-${n}`, email: 'a@b.example', role: 'member' as const })
  const sessions = { identify: async () => null, sessionKeyOf: () => 'key' }
  const feed = await openChangeFeed(bus as never, sessions, { beatMs: 60_000, most: 2 })
  const page = async (n: number) =>
    (
      await feed.route.run({
        user: user(n),
        header: () => 'cookie',
        signal: new AbortController().signal,
      } as never)
    ).body as Readable
  const [slow, quick] = [await page(1), await page(2)]
  let heard = 0
  quick.on('data', (chunk: Buffer) => (heard += String(chunk).split('data: orders').length - 1))
  await expect(page(3)).rejects.toMatchObject({ status: 503, retryAfter: 30 })
  let mostWaiting = 0
  for (let n = 0; n < 5000; n++) {
    tell('reader-1 orders')
    tell('reader-2 orders')
    mostWaiting = Math.max(mostWaiting, slow.readableLength)
    if (n % 100 === 0) await new Promise(setImmediate)
  }
  await expect.poll(() => heard).toBe(5000)
  expect(slow.destroyed).toBe(true)
  expect(mostWaiting).toBeLessThan(17 * 1024)
  // The disconnected page does not count any more.
  expect((await page(3)).destroyed).toBe(false)
  feed.stop()
})
