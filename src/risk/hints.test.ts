import { expect, test } from 'vitest'
import { openShopForTests } from '../../test/shop.ts'
import type { Input } from '../kit/contract.ts'
import { analyzeFraud } from './hints.contract.ts'
import { hintJobs } from './hints.server.ts'

const open = openShopForTests({ RATE_LIMIT_SCALE: '1' })

type Hint = Input<typeof analyzeFraud>
const hint = (event: Partial<Hint['event']> = {}): Hint => ({
  event: {
    id: crypto.randomUUID(),
    type: 'bot_detected',
    severity: 'high',
    description: 'No sign of life',
    timestamp: Date.now(),
    blocked: false,
    userAgent: 'test',
    ...event,
  },
  sessionContext: {
    userAgent: 'test',
    timestamp: new Date().toISOString(),
    url: 'https://shop.example/cart?code=secret',
    screenResolution: '390x844',
    timezone: 'Africa/Lagos',
  },
})

const kept = (userId: string) =>
  open.shop.database.db
    .selectFrom('riskHints')
    .select(['type', 'severity', 'description', 'route'])
    .where('userId', '=', userId)
    .execute()

test('stores a browser event once, without identifying data', async () => {
  const member = await open.shop.join()
  const sent = hint({ description: 'Paid with 4111 1111 1111 1111' })
  expect(await member.call(analyzeFraud, sent)).toEqual({ isNew: true })
  expect(await member.call(analyzeFraud, sent)).toEqual({ isNew: false })
  expect(await kept(member.id)).toEqual([
    { type: 'bot_detected', severity: 'high', description: 'Paid with [number]', route: '/cart' },
  ])
})

test('rejects hints without a session and malformed hints', async () => {
  await expect(open.shop.call(analyzeFraud, hint())).rejects.toMatchObject({ status: 401 })
  const member = await open.shop.join()
  for (const wrong of [{ type: 'theft' }, { severity: 'deadly' }, { id: '7' }, { description: 'x'.repeat(501) }])
    await expect(member.call(analyzeFraud, hint(wrong as never))).rejects.toMatchObject({ status: 400 })
})

test('accepts 30 hints a minute and stores the newest hundred of an account', async () => {
  const member = await open.shop.join()
  await open.shop.database.pool.query(
    `INSERT INTO risk_hints (user_id, event_id, type, severity, description, route, user_agent, timezone, screen, received_at)
     SELECT $1, gen_random_uuid(), 'bot_detected', 'low', '', '/', '', '', '', now() - n * interval '1 second' FROM generate_series(1, 100) n`,
    [member.id],
  )
  const start = performance.now()
  const send = () => member.call(analyzeFraud, hint()).catch((error: unknown) => error)
  let accepted = 0
  let answer: unknown
  // the limit refills by one every two seconds, so a slow machine gets a few more through
  while (!((answer = await send()) instanceof Error)) accepted += 1
  expect(answer).toMatchObject({ status: 429 })
  expect(accepted).toBeGreaterThanOrEqual(30)
  expect(accepted).toBeLessThanOrEqual(30 + (performance.now() - start) / 2000)
  const hints = await kept(member.id)
  const isNew = hints.filter(({ severity }) => severity === 'high')
  expect([hints.length, isNew.length]).toEqual([100, accepted])
})

test('deletes hints after 30 days', async () => {
  const member = await open.shop.join()
  const { db, pool } = open.shop.database
  for (const age of [29, 31]) {
    const { event } = hint()
    await member.call(analyzeFraud, hint({ id: event.id }))
    await pool.query(`UPDATE risk_hints SET received_at = now() - $2 * interval '1 day' WHERE event_id = $1`, [
      event.id,
      age,
    ])
  }
  for (const { run } of hintJobs(db)) await run({})
  expect(await kept(member.id)).toHaveLength(1)
})
