import { recordAct } from '../../src/identity/audit/audit.server.ts'
import { inTransaction } from '../../src/kit/database.server.ts'
import { type Command, readArgs } from './command.ts'
import { withDatabase } from './connection.ts'
import { openAccounts } from './identity.ts'
import { needUser } from './user.ts'

export const sessionCommand: Command = {
  name: 'session',
  usage: '<email>',
  about: 'Signs an account in and prints the value of a Cookie: header',
  run: async (terminal, args) => {
    const { positionals } = readArgs(sessionCommand, args, {}, 1)
    const config = terminal.readConfig()
    await withDatabase(config, async (database) => {
      const { createSession } = await openAccounts(config, database)
      const cookie = await createSession(positionals[0]!)
      await inTransaction(database.db, async (tx) => {
        const { id } = await needUser(tx, positionals[0]!)
        await recordAct(tx, { actorId: null, act: 'account.session', subjectId: id })
      })
      terminal.say(cookie)
    })
  },
}
