import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { checkPooler } from '../src/kit/cluster/pooler.server.ts'
import { createTestDatabase } from '../test/database.ts'
import { hasPgbouncer, openPgbouncer } from './pgbouncer.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld } from './world.ts'

if (!hasPgbouncer) process.stderr.write('\nSKIPPED: PgBouncer. As root on Debian: apt-get install pgbouncer\n\n')

test.skipIf(!hasPgbouncer)(
  'two nodes sell over five connections of PgBouncer in transaction mode',
  async () => {
    const { url, drop } = await createTestDatabase()
    const pooler = await openPgbouncer(url)
    const world = await openWorld(url, { POOLER_DATABASE_URL: pooler.url, DATABASE_POOL: '16' })
    try {
      const products = [await world.offer({ priceCents: 999 }), await world.offer({ priceCents: 2500, codes: 400 })]
      const shoppers = await world.invite(12, { wallets: 0.3, credit: 1500 })
      const first = await world.start()
      const second = await world.startBeside()
      const end = performance.now() + 5000
      const shopping = shoppers.map(async (shopper, i) => {
        const manners = { random: createRandom(i), tries: 10, pauseMs: 100, patienceMs: 10_000 }
        while (performance.now() < end) await visit(shopper, [world.url, second.url], products, manners)
      })
      await Promise.all(shopping)
      // the second node receives the change on its direct connection
      const titleOn = async (at: string) =>
        ((await (await fetch(`${at}/api/products/${products[0]}`)).json()) as { title: string }).title
      await Promise.all([titleOn(world.url), titleOn(second.url)])
      await world.database.pool.query(`UPDATE products SET title = 'Another title' WHERE id = $1`, [products[0]])
      await expect.poll(() => titleOn(second.url)).toBe('Another title')
      await comeToRest(world)
      expect((await countOrders(world)).completed).toBeGreaterThan(5)
      expect(await findViolationsAtRest(world, shoppers)).toEqual([])
      expect([...first.errors(), ...second.shop.errors()]).toEqual([])
    } finally {
      await world.close()
      await pooler.stop()
      await pause(50)
      await drop()
    }
  },
  120_000,
)

test.skipIf(!hasPgbouncer)('refuses a pooler without time limits', async () => {
  const { url, drop } = await createTestDatabase()
  const pooler = await openPgbouncer(url, { hasLimits: false })
  const pool = new pg.Pool({ connectionString: pooler.url })
  await expect(checkPooler(pool)).rejects.toThrow(
    'its connections have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout',
  )
  await pool.end()
  await pooler.stop()
  await drop()
})
