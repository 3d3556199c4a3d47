import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type pg from 'pg'
import { type Load, seedDemo, seedMore } from '../../demo/seed.ts'
import { prepareSchema } from '../../src/app/schema.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { openCodes } from '../../src/delivery/codes/vault.server.ts'
import type { Db } from '../../src/kit/database.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { FOLDER, isUnreleased, listMigrations } from '../../src/kit/schema/migrate.server.ts'
import { planMigrations, showPlan } from '../../src/kit/schema/plan.server.ts'
import { removeSamples } from '../../src/reviews/reviews.server.ts'
import { openStorage } from '../../src/uploads/openStorage.server.ts'
import { command } from './command.ts'
import {
  accountsFile,
  openAccounts,
  readApplied,
  readSchema,
  refuseNewer,
  withClient,
  withDatabase,
  withServer,
  withServerAlone,
} from './connection.ts'
import { firstOf, only } from '../../src/kit/values/required.ts'

const MAX = { products: 100_000, users: 100_000, orders: 1_000_000 }

export const storeCommands = [
  command({
    name: 'migrate',
    usage: '[--plan]',
    about: 'Brings the database to this version of the shop; --plan shows what waits meanwhile and changes nothing',
    options: { plan: { type: 'boolean' } },
    run: (terminal, { plan: isPlanOnly }) => {
      const config = terminal.readConfig()
      return withServer(config, async (addresses) => {
        const { open, openFiles, unknown, applied: before } = await withClient(addresses.ownerUrl, readSchema)
        refuseNewer(unknown)
        if (isPlanOnly) {
          // Migrations of an empty database block no requests.
          const names = before.length > 0 ? openFiles : []
          const files = await withClient(addresses.ownerUrl, (client) => planMigrations(client, names, FOLDER))
          for (const line of showPlan(files)) terminal.print(line)
          if (open.includes('views')) terminal.print('The views of this release are open.')
          else if (names.length === 0) terminal.print('No migration is open.')
          return
        }
        const applied = await prepareSchema(config, addresses)
        for (const name of applied) terminal.print(`Applied ${name}.`)
        if (open.includes('views')) terminal.print('Applied the views.')
        if (open.length === 0) terminal.print('The database is up to date.')
      })
    },
  }),

  command({
    name: 'seed',
    usage: '[--products N] [--users N] [--orders N] | --remove-reviews',
    about:
      'Fills an empty store with demo accounts, products and reviews, and N more of each for load tests; or removes the sample reviews',
    options: {
      products: { type: 'string' },
      users: { type: 'string' },
      orders: { type: 'string' },
      'remove-reviews': { type: 'boolean' },
    },
    run: async (terminal, { 'remove-reviews': isRemoval, ...given }) => {
      const load = readLoad(given)
      const config = terminal.readConfig()
      await withDatabase(config, async (database, { ownerUrl }) => {
        if (isRemoval) return terminal.print(`Removed ${await removeSamples(database.db)} sample reviews.`)
        const parts = {
          database,
          identity: await openAccounts(config, database),
          storage: await openStorage(config),
          vault: openCodes(config, readSecret(config)),
          accountsFile: accountsFile(config),
          hasSandbox: config.isSandboxOn,
        }
        const isNew = !existsSync(parts.accountsFile)
        const before = await countProducts(database.db)
        const accounts = await seedDemo(parts)
        if (!accounts) throw new Failure(409, 'This store has accounts. Only an empty store can become the demo store.')
        if (Object.keys(given).length > 0) {
          await seedMore(parts, load)
          await withClient(ownerUrl, (client) => client.query('VACUUM ANALYZE'))
        }
        const added = (await countProducts(database.db)) - before
        terminal.print(added === 0 ? 'The demo store exists; nothing was added.' : `Added ${added} products.`)
        if (!isNew) return terminal.print(`The demo accounts are in ${parts.accountsFile}.`)
        for (const { role, email, password } of accounts)
          terminal.print(`${role.padEnd(8)} ${email.padEnd(22)} ${password}`)
      })
    },
  }),

  command({
    name: 'reset',
    usage: '--yes',
    about: 'Empties the store: accounts, products, orders, files; not in production',
    options: { yes: { type: 'boolean' } },
    run: async (terminal, { yes }) => {
      const config = terminal.readConfig()
      if (config.mode === 'production')
        throw new Failure(409, 'NODE_ENV is production: reset refuses to empty a store in use.')
      if (!yes)
        throw new Failure(
          400,
          'This removes every account, product, order and file for good. Add --yes if you mean it.',
        )
      await withServerAlone(config, async (addresses) => {
        await withClient(addresses.ownerUrl, async (client) => {
          await refuseForeign(client)
          await wipeDatabase(client)
        })
        await wipeFiles(config)
        await prepareSchema(config, addresses)
        terminal.print('The store is empty.')
      })
    },
  }),
]

function readLoad(given: Partial<Record<keyof Load, string>>): Load {
  const load: Load = { products: 0, users: 0, orders: 0 }
  for (const [name, text] of Object.entries(given) as [keyof Load, string][]) {
    load[name] = Number(text)
    if (!(/^\d+$/.test(text) && load[name] >= 1 && load[name] <= MAX[name]))
      throw new Failure(400, `--${name}: give a whole number from 1 to ${MAX[name]}.`)
  }
  return load
}

async function countProducts(db: Db): Promise<number> {
  const { products } = await db
    .selectFrom('products')
    .select((row) => row.fn.countAll<number>().as('products'))
    .executeTakeFirstOrThrow()
  return products
}

const DROPS = `
  SELECT format('DROP %s IF EXISTS %s CASCADE', kind, name) AS drop FROM (
    SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
      oid::regclass::text AS name, oid, tableoid
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'r', 'p', 'S')
    UNION ALL SELECT 'ROUTINE', oid::regprocedure::text, oid, tableoid
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
    UNION ALL SELECT 'TYPE', oid::regtype::text, oid, tableoid
    FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
  ) thing
  WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = thing.oid AND classid = thing.tableoid AND deptype = 'e')
  -- dropping a table drops its sequences
  ORDER BY kind = 'SEQUENCE'`

export async function refuseForeign(client: pg.ClientBase) {
  const { rows } = await client.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'`,
  )
  const applied = await readApplied(client)
  const isOurs = isUnreleased(applied) || applied.includes(firstOf(listMigrations()))
  if (only(rows).tables > 0 && !isOurs)
    throw new Failure(
      409,
      'DATABASE_URL: this database holds tables of something else. Give the shop its own database.',
    )
}

/** Drops the shop's schemas of any version in one transaction. */
export async function wipeDatabase(client: pg.ClientBase) {
  await client.query('SET client_min_messages = warning')
  const { rows } = await client.query<{ drop: string }>(DROPS)
  const drops = ['DROP SCHEMA IF EXISTS sandbox, graphile_worker CASCADE', ...rows.map(({ drop }) => drop)]
  await client.query(drops.join(';\n'))
}

/** Removes stored files, also from a bucket, and the file of demo passwords, but not the secret. */
export async function wipeFiles(config: Config) {
  await (await openStorage(config)).wipe()
  await rm(accountsFile(config), { force: true })
}
