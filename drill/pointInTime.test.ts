import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { terminal } from '../scripts/shop/run.test.help.ts'
import { hasPgBackRest, openPgBackRest, openPlainArchive } from './archive.ts'
import { findViolations } from './invariants.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld } from './world.ts'

const isHere = hasPgBackRest()
if (!isHere)
  process.stderr.write(
    "\nSKIPPED: pgBackRest; the archive is PostgreSQL's own. As root on Debian: apt-get install pgbackrest postgresql\n\n",
  )

test('restores the shop to the second before a mistake, with every order that was confirmed to a shopper', async () => {
  const archive = await (isHere ? openPgBackRest() : openPlainArchive())
  onTestFinished(archive.remove)
  const { server } = archive
  const world = await openWorld(await server.createDatabase('shop'))
  const products = [await world.offer({ priceCents: 999 }), await world.offer({ priceCents: 2500, codes: 200 })]
  const shoppers = await world.invite(6, { wallets: 0.3 })
  await world.start()
  const buy = async (ms: number) => {
    const end = performance.now() + ms
    const manners = { tries: 10, pauseMs: 100, patienceMs: 10_000 }
    const buying = shoppers.map(async (shopper, i) => {
      while (performance.now() < end) await visit(shopper, world.url, products, { ...manners, random: createRandom(i) })
    })
    await Promise.all(buying)
  }
  // makes the base backup while shoppers buy
  await Promise.all([buy(1500), archive.backUp()])
  await buy(800)
  const told = shoppers.flatMap(({ seen }) => seen.completed)
  await pause(1200)
  const { rows } = await world.database.pool.query<{ before: string }>(
    `WITH mistake AS (UPDATE products SET price_cents = 1, title = 'Oops' RETURNING id)
     SELECT (clock_timestamp() - interval '1 second')::text AS before FROM mistake LIMIT 1`,
  )
  await buy(300)
  const last = (await world.database.pool.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name'))
    .rows[0]!
  const archived = async () =>
    (await world.database.pool.query<{ name: string }>('SELECT last_archived_wal AS name FROM pg_stat_archiver'))
      .rows[0]!.name
  await expect.poll(archived, { timeout: 20_000 }).toBe(last.name)
  await world.close()
  const info = await archive.check()
  if (info !== null) {
    const shop = terminal({ DATABASE_URL: server.urlOf('shop'), SECRET: 'any, because nothing is sealed here' })
    expect(await shop('backup note', info)).toMatchObject({ code: 0, err: [] })
  }

  const restored = await archive.restore(rows[0]!.before)
  const pool = new pg.Pool({ connectionString: restored.urlOf('shop') })
  const { rows: titles } = await pool.query<{ title: string }>('SELECT DISTINCT title FROM products ORDER BY 1')
  expect(titles.map(({ title }) => title)).toEqual(['A gift card', 'A small book'])
  expect(told.length).toBeGreaterThan(5)
  const { rows: kept } = await pool.query<{ id: string }>(`SELECT id FROM orders WHERE status = 'completed'`)
  expect(told.filter((id) => !kept.some((order) => order.id === id))).toEqual([])
  const captures = await DRILL_PROVIDERS.paypal.storedCaptures(pool)
  await pool.end()
  expect(await findViolations(restored.urlOf('shop'), captures, { isOver: false })).toEqual([])
}, 120_000)
