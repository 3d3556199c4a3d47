import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { codeOf } from '../database.server.ts'
import { migrate } from './migrate.server.ts'
import { admitRole, ownsTables } from './roles.server.ts'

const DENIED = '42501'

async function open() {
  const { url, shopUrl, drop } = await createTestDatabase()
  const [owner, shop] = [url, shopUrl].map((connectionString) => new pg.Client({ connectionString })) as [
    pg.Client,
    pg.Client,
  ]
  await Promise.all([owner.connect(), shop.connect()])
  onTestFinished(async () => {
    await Promise.all([owner.end(), shop.end()])
    await drop()
  })
  const tryAs = async (client: pg.Client, text: string) => client.query(text).then(() => 'done', codeOf)
  return { url, shopUrl, owner, shop, tryAs }
}

test("the shop's role cannot change or empty tables", async () => {
  const { owner, shop, tryAs } = await open()
  const attempts = [
    'ALTER TABLE ledger_entries ADD COLUMN note text',
    'ALTER TABLE ledger_entries DISABLE TRIGGER ledger_append_only',
    'ALTER TABLE ledger_entries DISABLE TRIGGER ALL',
    'DROP TRIGGER ledger_append_only ON ledger_entries',
    'TRUNCATE ledger_entries',
    'TRUNCATE ledger_entries CASCADE',
    'DROP TABLE ledger_entries',
    'CREATE TABLE other ()',
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    'CREATE TRIGGER other BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change()',
    'DELETE FROM migrations',
    'DROP SCHEMA graphile_worker CASCADE',
    'SET ROLE primo',
    'SET session_replication_role = replica',
  ]
  for (const text of attempts) expect([text, await tryAs(shop, text)]).toEqual([text, DENIED])
  expect(await Promise.all([ownsTables(shop), ownsTables(owner)])).toEqual([false, true])
  // a role that may truncate the ledger counts as its owner
  await owner.query(`GRANT TRUNCATE ON ledger_entries TO ${owner.escapeIdentifier(shop.user!)}`)
  expect(await ownsTables(shop)).toBe(true)
  // an owner without privileges can grant itself all of them
  await owner.query('REVOKE ALL ON ledger_entries FROM CURRENT_USER')
  expect(await ownsTables(owner)).toBe(true)
})

test("adds the shop's role to a database with one role, and grants it rows and jobs", async () => {
  const { url, shopUrl, owner, shop, tryAs } = await open()
  await owner.query('DROP SCHEMA public, sandbox, graphile_worker CASCADE; CREATE SCHEMA public')
  await migrate(url)
  expect(await tryAs(shop, 'SELECT FROM public.users')).toBe(DENIED)
  await migrate(url, { shopUrl })
  // a node needs no credentials of the owner
  expect(await migrate(shopUrl)).toEqual([])
  await owner.query("DELETE FROM migrations WHERE name = '18_account.sql'")
  await expect(migrate(shopUrl)).rejects.toThrow('The database lacks migrations (18_account.sql). Run `npm run')
  await owner.query("INSERT INTO migrations (name, expands) VALUES ('18_account.sql', true), ('9001_next.sql', true)")
  expect(await migrate(shopUrl)).toEqual([])
  await owner.query("UPDATE migrations SET expands = false WHERE name = '9001_next.sql'")
  await expect(migrate(shopUrl)).rejects.toThrow('The database is newer than this shop (it knows 9001_next.sql).')
  await owner.query(
    "DELETE FROM migrations WHERE name = '9001_next.sql'; COMMENT ON TABLE migrations IS '0.9.0 of-other-views'",
  )
  await expect(migrate(shopUrl)).rejects.toThrow('The database lacks migrations (views). Run `npm run')
  await owner.query("COMMENT ON TABLE migrations IS '999.0.0 of-newer-views'")
  expect(await migrate(shopUrl)).toEqual([])
  await shop.query("INSERT INTO users (email, role) VALUES ('ada@example.com', 'member')")
  await shop.query("SELECT graphile_worker.add_job('greet')")
  const jobs = await shop.query('SELECT FROM graphile_worker._private_jobs')
  expect(jobs.rowCount).toBe(1)
  // the shop's URL may have the role of the owner, written differently
  await admitRole(owner, `${url}?application_name=shop`)
  expect(await tryAs(owner, 'DELETE FROM migrations WHERE false')).toBe('done')
})
