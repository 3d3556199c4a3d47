import { Failure } from '../../src/kit/failure.ts'
import { isUuid } from '../../src/kit/uuid.ts'
import { openStorage } from '../../src/uploads/openStorage.server.ts'
import { listQuarantine, removeFromQuarantine } from '../../src/uploads/quarantine.server.ts'
import { command } from './command.ts'
import { withDatabase } from './connection.ts'

export const quarantineCommand = command({
  name: 'quarantine',
  usage: '[--delete <id>]',
  about: 'Lists the uploads in which the scanner found malware, or deletes one; after 30 days they go by themselves',
  options: { delete: { type: 'string' } },
  run: async (terminal, { delete: id }) => {
    const config = terminal.readConfig()
    await withDatabase(config, async ({ db }) => {
      if (id !== undefined) {
        if (!isUuid(id) || !(await removeFromQuarantine(db, await openStorage(config), id)))
          throw new Failure(404, `--delete: there is no upload ${id} in quarantine.`)
        return terminal.print('Deleted.')
      }
      const files = await listQuarantine(db)
      for (const { id: key, createdAt, email, fileName, malware } of files)
        terminal.print(
          `${key}  ${createdAt.toISOString()}  ${email ?? 'an erased account'}  ${malware}  ${JSON.stringify(fileName ?? '')}`,
        )
      if (files.length === 0) terminal.print('The quarantine is empty.')
    })
  },
})
