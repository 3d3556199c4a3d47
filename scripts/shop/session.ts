import { type Command, readArgs } from './command.ts'
import { withDatabase } from './desk.ts'
import { openAccounts } from './identity.ts'

export const sessionCommand: Command = {
  name: 'session',
  usage: '<email>',
  about: 'Signs an account in and prints the value of a Cookie: header',
  run: async (desk, args) => {
    const { positionals } = readArgs(sessionCommand, args, {}, 1)
    const config = desk.readConfig()
    await withDatabase(config, async (database) => {
      const { createSession } = await openAccounts(config, database)
      desk.say(await createSession(positionals[0]!))
    })
  },
}
