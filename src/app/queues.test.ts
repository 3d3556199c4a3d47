import { createServer, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests } from '../../test/shop.ts'
import { refundOrder } from '../aftersale/refunds/refund.server.ts'
import { addJob, LANES, WORKERS } from '../kit/jobs.server.ts'
import { addHook } from '../notifications/hooks/hooks.contract.ts'

// Jobs of members may hang. They must not delay jobs that move money.

const open = openShopForTests({}, { hasJobs: true })

/** A webhook receiver that accepts requests and never responds. `owners` lists the paths of open requests. */
async function openSilentReceiver() {
  const owners: string[] = []
  const server = createServer((request: IncomingMessage) => {
    const owner = request.url ?? ''
    owners.push(owner)
    request.on('close', () => owners.splice(owners.indexOf(owner), 1))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as { port: number }
  return { owners, url: `http://127.0.0.1:${port}` }
}

test('a refund runs while the webhooks and imports of members hang', async () => {
  const { db } = open.shop.database
  const receiver = await openSilentReceiver()
  const members = await Promise.all([open.shop.join(), open.shop.join(), open.shop.join()])
  const client = new pg.Client({ connectionString: open.shop.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  for (const [at, member] of members.entries()) {
    const { id } = await member.call(addHook, {
      url: `${receiver.url}/${at}`,
      events: ['order.completed'],
      isForShop: false,
    })
    for (let event = 0; event < 5; event++)
      await sql`SELECT queue_hook(${id}::uuid, 'order.completed', '{}'::jsonb)`.execute(db)
    // Each import waits for this lock.
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`import ${member.id}`])
    for (let file = 0; file < 3; file++)
      await addJob(db, 'import_products', { id: member.id, sellerId: member.id }, { queue: `files:${member.id}` })
  }
  await expect.poll(() => receiver.owners.length).toBe(WORKERS.hooks)
  const busy = sql`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'import_products' AND locked_at IS NOT NULL`
  await expect.poll(async () => (await busy.execute(db)).rows.length).toBe(WORKERS.files)
  // At most one worker per member.
  expect(new Set(receiver.owners).size).toBe(WORKERS.hooks)

  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  const { id } = await refundOrder(open.shop.checkout, order.id, 'asked for')
  const refund = db.selectFrom('refunds').select('status').where('id', '=', id)
  await expect.poll(async () => (await refund.executeTakeFirst())?.status).toBe('completed')
  expect(receiver.owners.length).toBeLessThanOrEqual(WORKERS.hooks)
}, 60_000)

test('a refund at one provider runs while many webhooks of another provider hang', async () => {
  const { db, pool } = open.shop.database
  const stripe = open.shop.checkout.providers.named('stripe')
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  onTestFinished(() => end())
  let hanging = 0
  vi.spyOn(stripe, 'subjectOf').mockReturnValue({ about: 'dispute', disputeRef: 'dp_hangs', captureRef: null })
  vi.spyOn(stripe.disputes!, 'find').mockImplementation(async () => {
    hanging++
    await isOver
    return { kind: 'gone' }
  })
  await pool.query(`INSERT INTO webhook_events (provider, event_id, event_type, body, due_at)
    SELECT 'stripe', 'evt_hangs_' || n, 'charge.dispute.created', '{}', now() FROM generate_series(1, 20) n`)
  const queued = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'webhook' AND key LIKE 'webhook:stripe:%'`
  await expect.poll(async () => (await pool.query(queued)).rowCount).toBe(20)
  await expect.poll(() => hanging).toBe(LANES)

  const buyer = await open.shop.join()
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  const { id } = await refundOrder(open.shop.checkout, order.id, 'asked for')
  const refund = db.selectFrom('refunds').select('status').where('id', '=', id)
  await expect.poll(async () => (await refund.executeTakeFirst())?.status).toBe('completed')
  expect(hanging).toBe(LANES)
}, 60_000)

test('jobs that move money have separate workers', () => {
  const poolOf = (name: string) => open.shop.jobs.find((job) => job.name === name)?.pool
  for (const name of [
    'refund',
    'webhook',
    'reconcile',
    'reconcile_payment',
    'hear_payment',
    'close_payments',
    'disputes',
  ])
    expect(poolOf(name), name).toBe('money')
})
