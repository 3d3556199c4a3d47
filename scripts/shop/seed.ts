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
    'Fills an empty store with demo accounts, goods and sample reviews, and N further products; or takes the sample reviews out',
  run: async (desk, args) => {
    const { values } = readArgs(seedCommand, args, {
      products: { type: 'string' },
      'remove-reviews': { type: 'boolean' },
    })
    const more = values.products === undefined ? 0 : readCount('--products', values.products, MOST_PRODUCTS)
    const config = desk.readConfig()
    await withDatabase(config, async (database) => {
      if (values['remove-reviews']) return desk.say(`Removed ${await removeSamples(database.db)} sample reviews.`)
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
      if (!accounts)
        throw new Failure(409, 'This store has accounts of its own; the demo store only moves into an empty one.')
      if (more > 0) await seedMore(parts, more)
      const added = (await countProducts(database.db)) - before
      desk.say(added === 0 ? 'The demo store is here already; nothing was added.' : `Added ${added} products.`)
      if (!isNew) return desk.say(`The demo accounts are in ${parts.accountsFile}.`)
      for (const { role, email, password } of accounts) desk.say(`${role.padEnd(8)} ${email.padEnd(22)} ${password}`)
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
