import { existsSync } from 'node:fs'
import { seedDemo, seedMore } from '../../demo/seed.ts'
import type { Db } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { migrate } from '../../src/kit/migrate.server.ts'
import { removeSamples } from '../../src/reviews/reviews.server.ts'
import { command } from './command.ts'
import {
  accountsFile,
  openAccounts,
  openStorage,
  readSchema,
  refuseNewer,
  withClient,
  withDatabase,
  withServer,
  withServerAlone,
} from './connection.ts'
import { refuseForeign, wipeDatabase, wipeFiles } from './wipe.ts'

const MOST_PRODUCTS = 100_000

export const storeCommands = [
  command({
    name: 'migrate',
    usage: '',
    about: 'Brings the database to this version of the shop',
    options: {},
    run: (terminal) =>
      withServer(terminal.readConfig(), async (url) => {
        refuseNewer((await withClient(url, readSchema)).unknown)
        const applied = await migrate(url)
        for (const name of applied) terminal.say(`Applied ${name}.`)
        if (applied.length === 0) terminal.say('The database is up to date.')
      }),
  }),

  command({
    name: 'seed',
    usage: '[--products N | --remove-reviews]',
    about:
      'Fills an empty store with demo accounts, products and reviews, and N more products; or removes the sample reviews',
    options: { products: { type: 'string' }, 'remove-reviews': { type: 'boolean' } },
    run: async (terminal, { products, 'remove-reviews': isRemoval }) => {
      const more = Number(products ?? 0)
      if (products !== undefined && !(/^\d+$/.test(products) && more >= 1 && more <= MOST_PRODUCTS))
        throw new Failure(400, `--products: give a whole number from 1 to ${MOST_PRODUCTS}.`)
      const config = terminal.readConfig()
      await withDatabase(config, async (database) => {
        if (isRemoval) return terminal.say(`Removed ${await removeSamples(database.db)} sample reviews.`)
        const parts = {
          database,
          identity: await openAccounts(config, database),
          storage: openStorage(config),
          accountsFile: accountsFile(config),
          hasSandbox: config.isSandboxOn,
        }
        const isNew = !existsSync(parts.accountsFile)
        const before = await countProducts(database.db)
        const accounts = await seedDemo(parts)
        if (!accounts) throw new Failure(409, 'This store has accounts. Only an empty store can become the demo store.')
        if (more > 0) await seedMore(parts, more)
        const added = (await countProducts(database.db)) - before
        terminal.say(added === 0 ? 'The demo store exists; nothing was added.' : `Added ${added} products.`)
        if (!isNew) return terminal.say(`The demo accounts are in ${parts.accountsFile}.`)
        for (const { role, email, password } of accounts)
          terminal.say(`${role.padEnd(8)} ${email.padEnd(22)} ${password}`)
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
      await withServerAlone(config, async (url) => {
        await withClient(url, async (client) => {
          await refuseForeign(client)
          await wipeDatabase(client)
        })
        await wipeFiles(config)
        await migrate(url)
        terminal.say('The store is empty.')
      })
    },
  }),
]

async function countProducts(db: Db): Promise<number> {
  const { products } = await db
    .selectFrom('products')
    .select((row) => row.fn.countAll<number>().as('products'))
    .executeTakeFirstOrThrow()
  return products
}
