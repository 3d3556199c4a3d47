import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { findViolations } from './invariants.ts'
import { copyBase, openRestored, openServer } from './postgres.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld } from './world.ts'

test('restores the shop to a second before a mistake, with every order that a shopper was told of', async () => {
  const archive = mkdtempSync(join(tmpdir(), 'primo-archive-'))
  chmodSync(archive, 0o777)
  const server = await openServer({
    ...{ fsync: 'off', shared_buffers: '32MB', wal_level: 'replica', max_wal_senders: 2, archive_mode: 'on' },
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  })
  onTestFinished(async () => {
    await server.remove()
    rmSync(archive, { recursive: true, force: true })
  })
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
  await buy(1500)
  const base = await copyBase(server)
  await buy(1500)
  const told = shoppers.flatMap(({ seen }) => seen.completed)
  await pause(1200)
  const { rows } = await world.database.pool.query<{ before: string }>(
    `WITH mistake AS (UPDATE products SET price_cents = 1, title = 'Oops' RETURNING id)
     SELECT (clock_timestamp() - interval '1 second')::text AS before FROM mistake LIMIT 1`,
  )
  await buy(500)
  const last = (await world.database.pool.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name'))
    .rows[0]!
  const archived = async () =>
    (await world.database.pool.query<{ name: string }>('SELECT last_archived_wal AS name FROM pg_stat_archiver'))
      .rows[0]!.name
  await expect.poll(archived).toBe(last.name)
  await world.close()
  await server.stop('immediate')

  const restored = await openRestored(base, { archive, until: rows[0]!.before, settings: server.settings })
  onTestFinished(() => restored.remove())
  const pool = new pg.Pool({ connectionString: restored.urlOf('shop') })
  const { rows: titles } = await pool.query<{ title: string }>('SELECT DISTINCT title FROM products ORDER BY 1')
  expect(titles.map(({ title }) => title)).toEqual(['A gift card', 'A small book'])
  expect(told.length).toBeGreaterThan(5)
  const { rows: kept } = await pool.query<{ id: string }>(`SELECT id FROM orders WHERE status = 'completed'`)
  expect(told.filter((id) => !kept.some((order) => order.id === id))).toEqual([])
  const captures = await DRILL_PROVIDERS.paypal.storedCaptures(pool)
  await pool.end()
  expect(await findViolations(restored.urlOf('shop'), captures, { isOver: false })).toEqual([])
})
