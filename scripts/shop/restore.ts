import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { readSecret } from '../../src/kit/config.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { listMigrations, migrate } from '../../src/kit/migrate.server.ts'
import { markSecret } from './backup.format.ts'
import { checkBackup, type Contents } from './backup.read.ts'
import { megabytes } from '../../src/monitoring/health/machine.checks.server.ts'
import { type Command, type Desk, readArgs } from './command.ts'
import { openStorage, withServerAlone } from './connection.ts'
import { explain } from './explain.ts'
import { loadBackup } from './backup.load.ts'
import { withClient } from './running.ts'
import { readSchema } from './schema.ts'
import { refuseForeign, wipeDatabase, wipeFiles } from './wipe.ts'

const OPTIONS = { yes: { type: 'boolean' }, 'other-secret': { type: 'boolean' } } as const

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file> [--yes] [--other-secret]',
  about: 'Fills an empty store from a backup; with --yes it is emptied first',
  run: async (desk, args) => {
    const { values, positionals } = readArgs(restoreCommand, args, OPTIONS, 1)
    const file = resolve(positionals[0]!)
    const config = desk.readConfig()
    const contents = await checkBackup(file)
    refuseNewer(contents)
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
    tell(desk, contents)
  },
}

function refuseNewer({ head }: Contents) {
  const known = listMigrations()
  const unknown = head.migrations.find((name) => !known.includes(name))
  if (unknown)
    throw new Failure(409, `The backup is of a newer version of the shop (it knows ${unknown}). Use that one.`)
}

/** Codes are encrypted under the secret. A secret that was made and not given comes with the backup. */
function refuseOtherSecret(config: Config, { head, end, data }: Contents) {
  const codes = end.tables['public.codes']?.count ?? 0
  if (codes === 0 || (!config.givenSecret && data.has('secret'))) return
  if (markSecret(readSecret(config)) === head.secretMark) return
  throw new Failure(
    409,
    `SECRET: the backup was made under another one, without which its ${codes} codes cannot be read. Give that SECRET, or add --other-secret to go without the codes.`,
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

/** The schema of the backup's time, its rows and bytes, then the migrations since. */
async function fill(config: Config, url: string, file: string, contents: Contents) {
  const { head, data } = contents
  try {
    await migrate(url, { only: head.migrations })
    await mkdir(config.dataDir, { recursive: true })
    for (const name of config.givenSecret ? ['demo-accounts.json'] : ['secret', 'demo-accounts.json']) {
      const bytes = data.get(name)
      if (bytes) await writeFile(join(config.dataDir, name), bytes, { mode: 0o600 })
    }
    await withClient(url, (client) => loadBackup(client, openStorage(config), file, contents))
  } catch (error) {
    await wipeFiles(config)
    throw new Failure(500, `${explain(error)} The store is empty now; mend that and restore again.`)
  }
  await migrate(url)
}

function tell(desk: Desk, { head, end }: Contents) {
  for (const [name, { count }] of Object.entries(end.tables))
    if (count > 0) desk.say(`${name.replace('public.', '').padEnd(20)} ${String(count).padStart(9)} rows`)
  desk.say(`${'files'.padEnd(20)} ${String(end.objects.count).padStart(9)} (${megabytes(end.objectBytes)})`)
  desk.say(`Restored as of ${head.madeAt}: every row read back equal, every file's SHA-256 as it was.`)
  if (end.damaged.length > 0) desk.warn(`Missing or damaged when the backup was made: ${end.damaged.join(', ')}`)
}
