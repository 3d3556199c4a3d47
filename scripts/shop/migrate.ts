import { migrate } from '../../src/kit/migrate.server.ts'
import { type Command, readArgs } from './command.ts'
import { newerThanWe, withServer } from './connection.ts'
import { withClient } from './running.ts'
import { readSchema } from './schema.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  about: 'Brings the database to this version of the shop',
  run: async (desk, args) => {
    readArgs(migrateCommand, args, {})
    await withServer(desk.readConfig(), async (url) => {
      const { unknown } = await withClient(url, readSchema)
      if (unknown.length > 0) throw newerThanWe(unknown)
      const applied = await migrate(url)
      for (const name of applied) desk.say(`Applied ${name}.`)
      if (applied.length === 0) desk.say('The database is up to date.')
    })
  },
}
