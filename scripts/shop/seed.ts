import { existsSync } from 'node:fs'
import { seedDemo, seedMore } from '../../demo/seed.ts'
import type { Db } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { removeSamples } from '../../src/reviews/reviews.server.ts'
import { type Command, readArgs, readCount } from './command.ts'
import { accountsFile, openStorage, withDatabase } from './connection.ts'
import { openAccounts } from './identity.ts'

const MOST_PRODUCTS = 100_000

export const seedCommand: Command = {
  name: 'seed',
  usage: '[--products N | --remove-reviews]',
  about:
    'Fills an empty store with demo accounts, products and reviews, and N more products; or removes the sample reviews',
  run: async (terminal, args) => {
    const { values } = readArgs(seedCommand, args, {
      products: { type: 'string' },
      'remove-reviews': { type: 'boolean' },
    })
    const more = values.products === undefined ? 0 : readCount('--products', values.products, MOST_PRODUCTS)
    const config = terminal.readConfig()
    await withDatabase(config, async (database) => {
      if (values['remove-reviews']) return terminal.say(`Removed ${await removeSamples(database.db)} sample reviews.`)
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
}

async function countProducts(db: Db): Promise<number> {
  const { products } = await db
    .selectFrom('products')
    .select((row) => row.fn.countAll<number>().as('products'))
    .executeTakeFirstOrThrow()
  return products
}
