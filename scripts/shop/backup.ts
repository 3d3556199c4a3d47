import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker, type TarPackController } from 'modern-tar'
import type pg from 'pg'
import { Failure } from '../../src/kit/failure.ts'
import { megabytes } from '../../src/monitoring/health/machine.checks.server.ts'
import type { End } from './backup.format.ts'
import { packBackup } from './backup.pack.ts'
import { withCleanUp } from './cleanUp.ts'
import { type Command, readArgs } from './command.ts'
import { withClient, withServer } from './connection.ts'

export const backupCommand: Command = {
  name: 'backup',
  usage: '<file>',
  about: 'Writes the whole store into one file, also while the shop runs',
  run: async (terminal, args) => {
    const { positionals } = readArgs(backupCommand, args, {}, 1)
    const file = resolve(positionals[0]!)
    const config = terminal.readConfig()
    await refuseName(file)
    const { tables, objects, objectBytes, damaged } = await withServer(config, (url) =>
      withClient(url, async (client) => {
        const end = await write(file, (tar) => packBackup(config, client, tar))
        await record(client, (await stat(file)).size)
        return end
      }),
    )
    const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0)
    terminal.say(`${file}: ${rows} rows, ${objects.count} files (${megabytes(objectBytes)}).`)
    if (damaged.length === 0) return
    throw new Failure(
      500,
      `The backup is complete, but files of the store itself are missing or damaged: ${damaged.join(', ')}. Restore them from an older backup.`,
    )
  },
}

/** Records the backup for the status pages, which warn if it is too old. An older database has no such table. */
async function record(client: pg.Client, sizeBytes: number) {
  const { rows } = await client.query<{ isThere: boolean }>(`SELECT to_regclass('backups') IS NOT NULL AS "isThere"`)
  if (rows[0]!.isThere) await client.query('INSERT INTO backups (size_bytes) VALUES ($1)', [sizeBytes])
}

async function refuseName(file: string) {
  if (await stat(file).catch(() => null)) throw new Failure(409, `${file} is there already. Give another name.`)
  const folder = await stat(dirname(file)).catch(() => null)
  if (!folder?.isDirectory()) throw new Failure(400, `${dirname(file)} is no folder. Make it, or give another name.`)
}

/** Writes under a temporary name and renames the file once it is complete and on the disk. */
async function write(file: string, pack: (tar: TarPackController) => Promise<End>): Promise<End> {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}`)
  return withCleanUp(
    () => rm(draft, { force: true }),
    async () => {
      const { readable, controller } = createTarPacker()
      const packing = pack(controller)
      // An error reaches the pipeline through the stream, and an error of the pipeline ends the packing.
      packing.catch((error: unknown) => controller.error(error))
      await pipeline(
        readable,
        createGzip({ level: 4 }),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      )
      await rename(draft, file)
      await syncFolder(dirname(file))
      return packing
    },
  )
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
