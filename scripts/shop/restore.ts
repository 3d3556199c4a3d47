import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { readSecret } from '../../src/kit/config.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { currentNames, listMigrations, migrate } from '../../src/kit/migrate.server.ts'
import { markSecret } from './backup.format.ts'
import { checkBackup, type Contents } from './backup.read.ts'
import { megabytes } from '../../src/monitoring/health/machine.checks.server.ts'
import { type Command, type Terminal, readArgs } from './command.ts'
import { openStorage, readSchema, withClient, withServerAlone } from './connection.ts'
import { explain } from './explain.ts'
import { loadBackup } from './backup.load.ts'
import { refuseForeign, wipeDatabase, wipeFiles } from './wipe.ts'

const OPTIONS = { yes: { type: 'boolean' }, 'other-secret': { type: 'boolean' } } as const

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file> [--yes] [--other-secret]',
  about: 'Fills an empty store from a backup; with --yes it is emptied first',
  run: async (terminal, args) => {
    const { values, positionals } = readArgs(restoreCommand, args, OPTIONS, 1)
    const file = resolve(positionals[0]!)
    const config = terminal.readConfig()
    const contents = await checkBackup(file)
    refuseNewerBackup(contents)
    if (!values['other-secret']) refuseOtherSecret(config, contents)
    await withServerAlone(config, async (url) => {
      await withClient(url, async (client) => {
        await refuseForeign(client)
        if (!values.yes) await refuseFull(client)
        await wipeDatabase(client)
      })
      await wipeFiles(config)
      await fill(config, url, file, contents)
    })
    report(terminal, contents)
  },
}

function refuseNewerBackup({ head }: Contents) {
  const known = listMigrations()
  const unknown = currentNames(head.migrations).find((name) => !known.includes(name))
  if (unknown)
    throw new Failure(409, `The backup has migration ${unknown} of a newer version of the shop. Use that version.`)
}

/** Codes are encrypted with the secret. The backup contains the secret only if the shop generated it. */
function refuseOtherSecret(config: Config, { head, end, data }: Contents) {
  const codes = end.tables['public.codes']?.count ?? 0
  if (codes === 0 || (!config.givenSecret && data.has('secret'))) return
  if (markSecret(readSecret(config)) === head.secretMark) return
  throw new Failure(
    409,
    `SECRET: the backup was made with another one; without it its ${codes} codes cannot be read. Set that SECRET, or add --other-secret to restore without readable codes.`,
  )
}

async function refuseFull(client: pg.Client) {
  if ((await readSchema(client)).applied.length === 0) return
  const { rows } = await client.query<{ users: number; products: number; orders: number }>(
    `SELECT (SELECT count(*) FROM public.users)::int AS users, (SELECT count(*) FROM public.products)::int AS products,
       (SELECT count(*) FROM public.orders)::int AS orders`,
  )
  const { users, products, orders } = rows[0]!
  if (users === 0) return
  throw new Failure(
    409,
    `This store is not empty: ${users} accounts, ${products} products, ${orders} orders. Make a backup of it, then add --yes to empty it.`,
  )
}

/** Creates the schema of the backup, loads rows and files, then applies newer migrations. */
async function fill(config: Config, url: string, file: string, contents: Contents) {
  const { head, data } = contents
  try {
    await migrate(url, { only: currentNames(head.migrations) })
    await mkdir(config.dataDir, { recursive: true })
    for (const name of config.givenSecret ? ['demo-accounts.json'] : ['secret', 'demo-accounts.json']) {
      const bytes = data.get(name)
      if (bytes) await writeFile(join(config.dataDir, name), bytes, { mode: 0o600 })
    }
    await withClient(url, (client) => loadBackup(client, openStorage(config), file, contents))
  } catch (error) {
    await wipeFiles(config)
    throw new Failure(500, `${explain(error)} The store is empty now. Fix this and restore again.`)
  }
  await migrate(url)
}

function report(terminal: Terminal, { head, end }: Contents) {
  for (const [name, { count }] of Object.entries(end.tables))
    if (count > 0) terminal.say(`${name.replace('public.', '').padEnd(20)} ${String(count).padStart(9)} rows`)
  terminal.say(`${'files'.padEnd(20)} ${String(end.objects.count).padStart(9)} (${megabytes(end.objectBytes)})`)
  terminal.say(`Restored the state of ${head.madeAt}: every row and every file is equal to the backup.`)
  if (end.damaged.length > 0) terminal.warn(`Missing or damaged when the backup was made: ${end.damaged.join(', ')}`)
}
