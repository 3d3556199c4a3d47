import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { FOLDER, listMigrations, numberOf } from './migrate.server.ts'
import { planMigrations, showPlan } from './plan.server.ts'
import { locksOf, narrowingOf, statementsOf } from './statements.rules.ts'

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

test('divides a file into statements, without comments', () => {
  expect(statementsOf(`-- a; b\nSELECT ';' || $$ ; -- kept $$;\n/* no; */ UPDATE a SET b = 1;`)).toEqual([
    `SELECT ';' || $$ ; -- kept $$`,
    'UPDATE a SET b = 1',
  ])
})

test.each([
  ['ALTER TABLE orders ADD COLUMN a int', 'orders', 'reads and writes', 'none'],
  ['ALTER TABLE orders ADD COLUMN a int CHECK (a > 0)', 'orders', 'reads and writes', 'reads the table'],
  [
    'ALTER TABLE orders ADD COLUMN a uuid NOT NULL DEFAULT gen_random_uuid()',
    'orders',
    'reads and writes',
    'writes rows',
  ],
  ['ALTER TABLE orders ADD CONSTRAINT a CHECK (b > 0) NOT VALID', 'orders', 'reads and writes', 'none'],
  ['ALTER TABLE orders VALIDATE CONSTRAINT a', 'orders', 'nothing', 'reads the table'],
  ['CREATE INDEX a ON orders (b)', 'orders', 'writes', 'builds an index'],
  ['CREATE TRIGGER a AFTER INSERT ON orders EXECUTE FUNCTION b()', 'orders', 'writes', 'none'],
  ['CREATE TABLE a (b uuid REFERENCES users)', 'users', 'writes', 'none'],
  ['UPDATE orders SET a = 1', 'orders', 'nothing', 'writes rows'],
  ['LOCK TABLE orders', 'orders', 'reads and writes', 'none'],
  ['LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE', 'orders', 'writes', 'none'],
])('determines which lock and work a statement needs: %s', (sql, table, waiting, work) => {
  expect(locksOf(sql)).toEqual([{ table, waiting, work }])
})

const SAMPLES = {
  '9001_gift_indexes.sql': `-- One by one: two indexes.
CREATE UNIQUE INDEX gifts_note ON gifts (order_line_id, note) WHERE note <> '';
CREATE INDEX gifts_address_time ON gifts (mailbox_of(to_email), created_at);
`,
  '9002_cases.sql': `ALTER TABLE code_cases ADD COLUMN other_id uuid REFERENCES refunds ON DELETE RESTRICT;
ALTER TABLE code_cases DROP CONSTRAINT code_cases_state_check, ADD CONSTRAINT code_cases_state_check CHECK (state <> '');
UPDATE code_cases SET note = '';
`,
}

function folderOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'primo-statements-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const RANK = { nothing: 0, writes: 1, 'reads and writes': 2 }

test('finds every lock that PostgreSQL takes for a migration', async () => {
  const { url, drop } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const wrong: string[] = []
  const folder = folderOf({ ...Object.fromEntries(listMigrations().map((name) => [name, read(name)])), ...SAMPLES })
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
  for (const name of listMigrations(folder)) {
    const [plan] = await planMigrations(client, [name], folder)
    if (textOf(name).includes('CONCURRENTLY')) {
      // runs outside a transaction and blocks no readers or writers
      for (const statement of statementsOf(textOf(name))) await client.query(statement)
      continue
    }
    await client.query('BEGIN')
    const { rows: before } = await client.query<{ last: string }>('SELECT max(oid)::text AS last FROM pg_class')
    await client.query(textOf(name))
    const { rows } = await client.query<{ table: string; mode: string }>(
      `SELECT relname AS table, mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
         AND c.oid <= $1::oid AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
      [before[0]!.last],
    )
    await client.query('COMMIT')
    if (!plan!.isUnclear)
      for (const { table, mode } of rows) {
        const own = plan!.locks.filter((lock) => lock.table === table)
        const waiting = mode === 'AccessExclusiveLock' ? 2 : 1
        if (!own.some((lock) => RANK[lock.waiting] >= waiting)) wrong.push(`${name}: ${table} ${mode}`)
      }
  }
  await client.end()
  await drop()
  expect(wrong).toEqual([])
})

test('the plan lists blocked reads and writes with their duration', async () => {
  const folder = folderOf(SAMPLES)
  const sizes = ['gifts', 'code_cases'].map((name) => ({ name, rows: 3_000_000 }))
  const query = async (text: string) => ({ rows: text.includes('reltuples') ? sizes : [] })
  expect(showPlan(await planMigrations({ query } as unknown as pg.ClientBase, Object.keys(SAMPLES), folder)))
    .toMatchInlineSnapshot(`
    [
      "9001_gift_indexes.sql: about 20 s",
      "  gifts: writes wait about 20 s; builds an index (3,000,000 rows)",
      "  stop all nodes of the former release first: adds a rule: CREATE UNIQUE INDEX gifts_note ON gifts (order_line_id, note) WHERE note <> ''",
      "9002_cases.sql: about 153 s",
      "  code_cases: reads and writes wait about 153 s; reads the table, writes rows (3,000,000 rows)",
      "  stop all nodes of the former release first: adds a rule: ALTER TABLE code_cases DROP CONSTRAINT code_cases_state_check, ADD CONSTRAINT co",
    ]
  `)
})

test.each([
  ['DROP TABLE orders', true],
  ['ALTER TABLE orders DROP COLUMN a', true],
  ['ALTER TABLE orders RENAME COLUMN a TO b', true],
  ['ALTER TABLE orders ALTER COLUMN a SET NOT NULL', true],
  ['ALTER TABLE orders ADD COLUMN a int NOT NULL', true],
  ['ALTER TABLE orders ADD COLUMN a int NOT NULL CHECK (a > 0), ADD COLUMN b int NOT NULL DEFAULT 0', true],
  ['ALTER TABLE orders ADD CONSTRAINT a CHECK (b > 0)', true],
  ['CREATE UNIQUE INDEX a ON orders (b)', true],
  ['ALTER TABLE orders ADD COLUMN a int NOT NULL DEFAULT 0 CHECK (a >= 0), ADD COLUMN b text', false],
  ['ALTER TABLE orders ALTER COLUMN a DROP NOT NULL', false],
  ['CREATE TABLE a (b int NOT NULL); CREATE UNIQUE INDEX c ON a (b); ALTER TABLE a ADD CHECK (b > 0)', false],
  ['CREATE INDEX a ON orders (b)', false],
  ['DO $$ BEGIN ALTER TABLE orders DROP COLUMN a; END $$', true],
  ['DO $$ BEGIN\n  -- the old column\n  IF true THEN DROP TABLE orders; END IF;\nEND $$', true],
  ['DO $$ BEGIN EXECUTE some_text; END $$', true],
  ['DO $$ BEGIN ALTER TABLE orders ADD COLUMN a int; UPDATE orders SET a = 1; END $$', false],
  ['-- Expands: every row keeps the rule.\nALTER TABLE orders ADD CONSTRAINT a CHECK (b > 0)', false],
  ['-- Narrows: nobody may write this any more.\nSELECT 1', true],
])('determines whether the former release can run on the schema: %s', (sql, narrows) => {
  expect(narrowingOf(sql).length > 0).toBe(narrows)
})

/** Number of the last migration of the first release, which has no former release. */
const LAST_OF_FIRST = 18

test('the former release can run after each migration that is not marked as narrowing', () => {
  const narrowing = listMigrations()
    .filter((name) => numberOf(name) > LAST_OF_FIRST && !read(name).startsWith('-- Narrows: '))
    .flatMap((name) => narrowingOf(read(name)).map((why) => `${name}: ${why}`))
  expect(narrowing).toEqual([])
})
