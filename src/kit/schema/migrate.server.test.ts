import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { currentNames, FOLDER, listMigrations, migrate, numberOf } from './migrate.server.ts'

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
  return { client, url: made.url }
}

const CLEAR =
  'DROP SCHEMA public CASCADE; DROP SCHEMA sandbox CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA public'

test('two nodes that start at once migrate once', async () => {
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

test('the former release starts on the schema of the next one, unless that takes something away', async () => {
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
  await client.query("UPDATE migrations SET sha256 = repeat('0', 64) WHERE name = '09_orders.sql'")
  await expect(migrate(url)).rejects.toThrow('migrations/09_orders.sql was changed after this database took it.')
})

// --- databases from before the migrations were merged into one file per room

const later = listMigrations().filter((name) => numberOf(name) > 15)
const FORMER = readFileSync(join(import.meta.dirname, '../../../test/formerSchema.sql'), 'utf8')

const ROWS = `
  INSERT INTO users (email, role, wants_news) VALUES ('ada@shop.example', 'admin', true), ('bob@shop.example', 'member', false);
  INSERT INTO sessions (user_id, token_hash, expires_at) SELECT id, repeat('a', 43), now() + interval '1 day' FROM users LIMIT 1;
  INSERT INTO objects (user_id, status, size_bytes, sha256, stored_at, expires_at)
    SELECT id, 'bound', 3, repeat('0', 64), now(), now() FROM users WHERE role = 'admin';
  INSERT INTO products (seller_id, category_id, title, price_cents, delivery)
    SELECT id, 'software', 'Python course', 1999, 'code' FROM users WHERE role = 'admin';
  INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, credit_cents, expires_at)
    SELECT id, 'key', 'hash', 'cart', 1999, 500, now() FROM users WHERE role = 'member';
  INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery)
    SELECT o.id, 1, p.id, p.seller_id, p.title, p.price_cents, 1, 'code' FROM orders o, products p;
  INSERT INTO order_events (order_id, to_status, reason) SELECT id, 'pending', 'placed' FROM orders;
  INSERT INTO payments (order_id, provider, mode, amount_cents) SELECT id, 'paypal', 'sandbox', 1499 FROM orders;
  INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id)
    SELECT '00000000-0000-4000-8000-000000000001', account, cents, p.id
    FROM payments p, (VALUES ('provider', 1499), ('buyer', -1499)) e (account, cents);
  INSERT INTO reviews (product_id, sample_author, stars) SELECT id, 'Cy', 5 FROM products;
  INSERT INTO mails (key, recipient, subject, body_text, body_html) VALUES ('receipt:1', 'bob@shop.example', 's', 't', 'h');`

async function readRows(client: pg.Client) {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
  )
  const all: Record<string, unknown[]> = {}
  for (const { name } of tables)
    // derived from the rows: the search index, and whether a product is listed, which a migration may change
    all[name] = (
      await client.query(
        `SELECT to_jsonb(t) - '{search,is_listed,updated_at}'::text[] AS row FROM ${name} t ORDER BY t::text`,
      )
    ).rows
  return all
}

/** Everything a migration makes in the schema public, one line each. */
async function readSchema(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    SELECT format('column %s.%s %s %s %s %s %s', c.oid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity::text || attgenerated::text, pg_get_expr(adbin, adrelid)) AS line
    FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid LEFT JOIN pg_attrdef d ON adrelid = c.oid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT format('table %s %s', oid::regclass, relpersistence) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON oid = indexrelid
      WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
      WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
    UNION ALL SELECT 'extension ' || extname FROM pg_extension`)
  return rows.map(({ line }) => line).sort()
}

test('recognises a database of the former migrations and keeps its rows', async () => {
  const fresh = await openClient()
  const schema = await readSchema(fresh.client)
  await fresh.client.query(CLEAR)
  await fresh.client.query(FORMER + ROWS)
  const rows = await readRows(fresh.client)
  expect(Object.values(rows).flat().length).toBeGreaterThan(20)

  expect(await migrate(fresh.url)).toEqual(later)
  // later migrations may add columns and tables
  expect(await readRows(fresh.client)).toMatchObject(rows)
  expect(await readSchema(fresh.client)).toEqual(schema)
  const { rows: applied } = await fresh.client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  expect(applied.map(({ name }) => name).sort()).toEqual(listMigrations().sort())
  expect(await migrate(fresh.url)).toEqual([])
})

test('refuses a database in the middle of the former migrations and changes nothing', async () => {
  const { client, url } = await openClient()
  await client.query(CLEAR + ';' + FORMER)
  await client.query("DELETE FROM migrations WHERE name = '047_taken_up.sql'")
  await expect(migrate(url)).rejects.toThrow(
    'The schema stands at 046_push_sessions.sql; this version upgrades only from 047_taken_up.sql.',
  )
  expect((await client.query('SELECT FROM migrations')).rowCount).toBe(39)
})

test('takes a file after 047 for one of a newer version, not for a former one', () => {
  expect(currentNames([...listMigrations(), '048_new.sql'])).toEqual([...listMigrations(), '048_new.sql'])
})

// --- locks

test.each([...later, '01_kit.sql'])('%s locks no table while it builds an index', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../../../migrations', name), 'utf8')
  const made = new Set([...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, table]) => table))
  const built = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX .*? ON (\w+)/g)].filter(([, table]) => !made.has(table))
  if (built.length === 0) return
  expect(text).not.toMatch(/\b(ALTER TABLE|DROP INDEX|TRIGGER)\b/)
  // and keeps writers out of one table at a time
  if (built.length > 1) expect(text).toMatch(/^-- One by one: /)
})

const openFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of listMigrations()) writeFileSync(join(folder, name), readFileSync(join(FOLDER, name)))
  return folder
}

test('builds an index beside writers, and begins again after one that was not finished', async () => {
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
  // a writer of a longer time than a migration waits for a lock, and another node that starts
  const patience = { lockMs: 20, pauseMs: 1, tries: 1 }
  const both = Promise.all([migrate(url, { folder, patience }), migrate(url, { folder, patience })])
  both.catch(() => undefined)
  await pause(200)
  await client.query('COMMIT')
  expect((await both).flat()).toEqual(['9001_indexes.sql'])
  expect((await readIndexes()).every(({ isValid }) => isValid)).toBe(true)
})

test('a migration gives way while other work holds its table, and gives up after its tries', async () => {
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
