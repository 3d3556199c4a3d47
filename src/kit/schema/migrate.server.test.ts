import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { FOLDER, listMigrations, migrate } from './migrate.server.ts'

let drop: (() => Promise<void>) | undefined
afterEach(() => drop?.())

async function openClient() {
  const made = await createTestDatabase()
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  drop = async () => {
    await client.end()
    await made.drop()
  }
  return { client, url: made.url, shopUrl: made.shopUrl }
}

const CLEAR =
  'DROP SCHEMA public CASCADE; DROP SCHEMA sandbox CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA public'

test('migrates once when two nodes start at once', async () => {
  const { client, url } = await openClient()
  await client.query(CLEAR)
  const [one, other] = await Promise.all([migrate(url), migrate(url)])
  expect([one!.length, other!.length].sort((a, b) => a - b)[0]).toBe(0)
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM migrations')
  expect(Number(rows[0]!.count)).toBe(Math.max(one!.length, other!.length))
})

test('refuses a database that a newer version migrated', async () => {
  const { client, url } = await openClient()
  await client.query("INSERT INTO migrations (name) VALUES ('99_from_the_future.sql')")
  await expect(migrate(url)).rejects.toThrow('The database is newer than this shop (it knows 99_from_the_future.sql).')
})

test('the former release starts on a newer schema, unless a migration removed something', async () => {
  const { client, url } = await openClient()
  const next = openFolder()
  writeFileSync(join(next, '9001_next.sql'), 'ALTER TABLE orders ADD COLUMN note text')
  expect(await migrate(url, { folder: next })).toEqual(['9001_next.sql'])
  expect(await migrate(url)).toEqual([])
  await client.query(`INSERT INTO users (email) VALUES ('ada@shop.example')`)
  writeFileSync(join(next, '9002_next.sql'), 'ALTER TABLE orders DROP COLUMN note')
  await migrate(url, { folder: next })
  await expect(migrate(url)).rejects.toThrow('The database is newer than this shop (it knows 9002_next.sql).')
})

test('refuses a migration that was edited after it was applied', async () => {
  const { client, url } = await openClient()
  await client.query("UPDATE migrations SET sha256 = repeat('0', 64) WHERE name = '08_orders.sql'")
  await expect(migrate(url)).rejects.toThrow('migrations/08_orders.sql was changed after this database took it.')
  await client.query("COMMENT ON TABLE migrations IS '0.1.0 of-former-views'")
  await expect(migrate(url)).rejects.toThrow('The database is from a version before 1.0.0: empty it')
})

test('rejects a database from before version 1.0.0, with the role of the owner and of the shop', async () => {
  const { client, url, shopUrl } = await openClient()
  await client.query("INSERT INTO migrations (name, expands) VALUES ('16_own_identity.sql', true)")
  for (const address of [url, shopUrl])
    await expect(migrate(address)).rejects.toThrow(
      'The database is from a version before 1.0.0: empty it with `npm run shop -- reset --yes`',
    )
})

test.each(listMigrations())('%s locks no table while it builds an index', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../../../migrations', name), 'utf8')
  const made = new Set([...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, table]) => table))
  const built = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX .*? ON (\w+)/g)].filter(([, table]) => !made.has(table))
  if (built.length === 0) return
  expect(text).not.toMatch(/\b(ALTER TABLE|DROP INDEX|TRIGGER)\b/)
  // a file with several indexes must block writers of one table at a time
  if (built.length > 1) expect(text).toMatch(/^-- One by one: /)
})

const openFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of listMigrations()) writeFileSync(join(folder, name), readFileSync(join(FOLDER, name)))
  return folder
}

test('builds an index without blocking writers, and rebuilds an unfinished index', async () => {
  const { client, url } = await openClient()
  const folder = openFolder()
  writeFileSync(
    join(folder, '9001_indexes.sql'),
    `-- One by one: the second waits for no writer.
CREATE INDEX users_one ON users (created_at);
CREATE UNIQUE INDEX CONCURRENTLY users_two ON users (lower(name));
`,
  )
  await client.query(`INSERT INTO users (email, name) VALUES ('a@shop.example', 'Ada'), ('b@shop.example', 'ada')`)
  await expect(migrate(url, { folder })).rejects.toThrow('could not create unique index "users_two"')
  const readIndexes = async () =>
    (
      await client.query<{ name: string; isValid: boolean }>(
        `SELECT relname AS name, indisvalid AS "isValid" FROM pg_index JOIN pg_class ON oid = indexrelid
         WHERE relname IN ('users_one', 'users_two') ORDER BY 1`,
      )
    ).rows
  expect(await readIndexes()).toEqual([
    { name: 'users_one', isValid: true },
    { name: 'users_two', isValid: false },
  ])

  await client.query(`BEGIN; UPDATE users SET name = 'Bob' WHERE email = 'b@shop.example'`)
  // a transaction longer than the lock timeout of a migration, and two nodes that start
  const patience = { lockMs: 20, pauseMs: 1, tries: 1 }
  const both = Promise.all([migrate(url, { folder, patience }), migrate(url, { folder, patience })])
  both.catch(() => undefined)
  await pause(200)
  await client.query('COMMIT')
  expect((await both).flat()).toEqual(['9001_indexes.sql'])
  expect((await readIndexes()).every(({ isValid }) => isValid)).toBe(true)
})

test('a migration retries while another transaction locks its table, and fails after its last try', async () => {
  const { client, url } = await openClient()
  const folder = openFolder()
  const [first, second] = [
    'CREATE INDEX orders_one ON orders (source);',
    'CREATE INDEX orders_two ON orders (currency);',
  ]
  writeFileSync(
    join(folder, '98_indexes.sql'),
    `-- One by one: each statement is a transaction.\n${first}\n${second}\n`,
  )
  writeFileSync(join(folder, '99_drop.sql'), 'DROP INDEX orders_one;')

  await client.query('BEGIN; LOCK TABLE orders IN ROW EXCLUSIVE MODE')
  await expect(migrate(url, { folder, patience: { lockMs: 20, pauseMs: 1, tries: 2 } })).rejects.toThrow(
    /^migrations\/98_indexes\.sql: other work holds its tables \(tried 2 times\)\. What came before it is applied; start again\.$/,
  )
  const applied = migrate(url, { folder, patience: { lockMs: 20, pauseMs: 1, tries: 2000 } })
  const waiting = "SELECT waitstart::text AS since FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass"
  const tries = new Set<string | null>()
  const countTries = async () => {
    const { rows } = await client.query<{ since: string | null }>(waiting)
    return rows.reduce((seen, { since }) => seen.add(since), tries).size
  }
  await expect.poll(countTries, { interval: 5 }).toBeGreaterThan(2)
  await client.query('COMMIT')
  expect(await applied).toEqual(['98_indexes.sql', '99_drop.sql'])
  const { rows } = await client.query(
    "SELECT indexname AS name FROM pg_indexes WHERE indexname IN ('orders_one', 'orders_two')",
  )
  expect(rows).toEqual([{ name: 'orders_two' }])
})
