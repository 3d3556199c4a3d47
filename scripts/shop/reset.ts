import { Failure } from '../../src/kit/failure.ts'
import { migrate } from '../../src/kit/migrate.server.ts'
import { type Command, readArgs } from './command.ts'
import { withClient, withServerAlone } from './connection.ts'
import { refuseForeign, wipeDatabase, wipeFiles } from './wipe.ts'

export const resetCommand: Command = {
  name: 'reset',
  usage: '--yes',
  about: 'Empties the store: accounts, products, orders, files; not in production',
  run: async (terminal, args) => {
    const { values } = readArgs(resetCommand, args, { yes: { type: 'boolean' } })
    const config = terminal.readConfig()
    if (config.mode === 'production')
      throw new Failure(409, 'NODE_ENV is production: reset refuses to empty a store in use.')
    if (!values.yes) {
      throw new Failure(400, 'This removes every account, product, order and file for good. Add --yes if you mean it.')
    }
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
}
