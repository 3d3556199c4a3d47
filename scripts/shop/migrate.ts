import { migrate } from '../../src/kit/migrate.server.ts'
import { type Command, readArgs } from './command.ts'
import { readSchema, refuseNewer, withClient, withServer } from './connection.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  about: 'Brings the database to this version of the shop',
  run: async (terminal, args) => {
    readArgs(migrateCommand, args, {})
    await withServer(terminal.readConfig(), async (url) => {
      refuseNewer((await withClient(url, readSchema)).unknown)
      const applied = await migrate(url)
      for (const name of applied) terminal.say(`Applied ${name}.`)
      if (applied.length === 0) terminal.say('The database is up to date.')
    })
  },
}
