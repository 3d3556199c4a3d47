import { rotateCodes } from '../../src/delivery/codes/rotate.server.ts'
import { openCodes } from '../../src/delivery/codes/vault.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import { command } from './command.ts'
import { withDatabase } from './connection.ts'

export const codesCommand = command({
  name: 'codes rotate',
  about:
    'Seals all codes again under CODES_SECRET; FORMER_CODES_SECRET opens those of before. May be stopped and run again',
  run: async (terminal) => {
    const config = terminal.readConfig()
    await withDatabase(config, async ({ db }) => {
      const sealed = await rotateCodes(db, openCodes(config, readSecret(config)))
      const what = sealed === 1 ? '1 code' : `${sealed.toLocaleString('en')} codes`
      terminal.print(`Sealed ${what} again. You can take FORMER_CODES_SECRET out of the settings.`)
    })
  },
})
