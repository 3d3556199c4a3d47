import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { tryToBuy } from '../../test/riskShop.ts'
import { openShopForTests } from '../../test/shop.ts'
import { inTransaction } from '../kit/database.server.ts'
import { addBlock, getWeights, liftBlock, listBlocks, saveWeights, tryWeights } from './riskReview.contract.ts'
import { DEFAULT_WEIGHTS } from './score.rules.ts'

const open = openShopForTests({ TRUST_PROXY: '1' })

test('rejects a block without an end, and lets staff lift one early', async () => {
  const { pool } = open.shop.database
  const insert = (expires: string) =>
    pool.query(
      `INSERT INTO risk_blocks (kind, subject, reason, expires_at) VALUES ('account', 'x', 'for ever', ${expires})`,
    )
  await expect(insert('NULL')).rejects.toMatchObject({ code: '23502' })
  await expect(insert(`now() + interval '91 days'`)).rejects.toMatchObject({ code: '23514' })
  await expect(insert(`'infinity'`)).rejects.toMatchObject({ code: '23514' })

  const staff = await open.shop.join({ isAdmin: true })
  const buyer = await open.shop.join()
  const book = await addProduct(open.shop)
  const [block] = await staff.call(addBlock, { who: buyer.email.toUpperCase(), reason: 'a chargeback', hours: 24 })
  expect(block).toMatchObject({ kind: 'account', subject: buyer.email, madeBy: staff.email })
  expect((await tryToBuy(open.shop, buyer, book)).code).toBe('payments_paused')
  expect(await staff.call(liftBlock, { id: block!.id })).toEqual([])
  expect((await tryToBuy(open.shop, buyer, book)).ending).toBe('delivered')
  await expect(staff.call(liftBlock, { id: block!.id })).rejects.toMatchObject({ status: 404 })
  const acts = await open.shop.database.db.selectFrom('audit').select('act').where('subjectId', '=', buyer.id).execute()
  expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['risk.blocked', 'risk.lifted']))
})

test('blocks a network by one of its addresses without showing it, and rejects other subjects', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const [block] = await staff.call(addBlock, { who: '2600:1901:0:38d7::', reason: 'a botnet', hours: 1 })
  expect(block).toMatchObject({ kind: 'network', subject: null })
  expect(JSON.stringify(await staff.call(listBlocks, {}))).not.toContain('2600')
  const add = (who: string) => staff.call(addBlock, { who, reason: 'x', hours: 1 })
  await expect(add('127.0.0.1')).rejects.toMatchObject({ status: 400, code: 'not_public' })
  await expect(add('nobody@test.example')).rejects.toMatchObject({ status: 404 })
  await expect(staff.call(addBlock, { who: 'a@b.example', reason: 'x', hours: 2161 })).rejects.toMatchObject({
    status: 400,
  })
})

test('tests weights on past orders before saving, and rejects a save over newer weights', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const { orderId } = await tryToBuy(open.shop, buyer, book)
  // a payment started many times is one order and hides no other order
  const { orderId: restless } = await tryToBuy(open.shop, await open.shop.join(), book)
  await open.shop.database.pool.query(
    `INSERT INTO risk_decisions (order_id, user_id, stage, decision, score, reasons, facts, weights_version)
     SELECT order_id, user_id, 'start', decision, score, reasons, facts, 0 FROM risk_decisions, generate_series(1, 3000)
     WHERE order_id = $1 AND stage = 'start'`,
    [restless],
  )
  expect(await staff.call(getWeights, {})).toEqual({ version: 0, weights: DEFAULT_WEIGHTS })
  const strict = { ...DEFAULT_WEIGHTS, stepUpAt: 15 }
  const effect = await staff.call(tryWeights, { weights: strict })
  expect(effect.now.allow).toBe(effect.orders)
  expect(effect.tried).toMatchObject({ allow: 0, step_up: effect.orders })
  expect(effect.changed).toContainEqual({ orderId, now: 'allow', tried: 'step_up' })
  expect((await tryToBuy(open.shop, buyer, book)).ending).toBe('delivered')

  const wrong = { ...strict, holdAt: 95 }
  await expect(staff.call(saveWeights, { version: 0, weights: wrong })).rejects.toMatchObject({ status: 400 })
  const both = [1, 2].map(() => staff.call(saveWeights, { version: 0, weights: strict }))
  const ended = await Promise.allSettled(both)
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await staff.call(getWeights, {})).toMatchObject({ version: 1, weights: { stepUpAt: 15 } })
  expect((await tryToBuy(open.shop, buyer, book)).ending).toBe('confirm_needed')
  await expect(open.shop.database.pool.query('DELETE FROM risk_weights')).rejects.toThrow('append only')
})

test('stores a history of weights, and rejects a save based on old ones', async () => {
  const staff = await open.shop.join({ isAdmin: true })
  const { db, pool } = open.shop.database
  const { version } = await staff.call(getWeights, {})
  const save = (from: number) => staff.call(saveWeights, { version: from, weights: DEFAULT_WEIGHTS })
  await expect(save(version + 5)).rejects.toMatchObject({ status: 409, code: 'outrun' })
  expect((await save(version)).version).toBe(version + 1)
  await expect(save(version)).rejects.toMatchObject({ status: 409, code: 'outrun' })
  const late = await inTransaction(db, async (tx) => {
    const mine = { version: version + 2, weights: JSON.stringify(DEFAULT_WEIGHTS), madeBy: staff.id }
    await tx.insertInto('riskWeights').values(mine).execute()
    const told = expect(save(version + 1)).rejects.toMatchObject({ status: 409, code: 'outrun' })
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
    return { told }
  })
  await late.told
  const lines = await db.selectFrom('audit').select(['act', 'subjectId']).where('actorId', '=', staff.id).execute()
  expect(lines).toEqual([{ act: 'risk.weights', subjectId: `version ${version + 1}` }])
})
