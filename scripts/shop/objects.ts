import type pg from 'pg'
import { Failure, operatorFailure } from '../../src/kit/failure.ts'
import { showFinding } from '../../src/kit/health/finding.rules.ts'
import { measure } from '../../src/uploads/measure.server.ts'
import { openDiskStorage } from '../../src/uploads/disk/storage.disk.server.ts'
import { objectsFolder, openStorage } from '../../src/uploads/openStorage.server.ts'
import type { Storage } from '../../src/uploads/storage.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { type Command, command } from './command.ts'
import { addressOf, withClient, withServer } from './connection.ts'
import { type KeyRow, keysOf, SELECT_KEYS, type StoredKey } from './objects.keys.ts'
import { lastOf } from '../../src/kit/values/required.ts'

const PAGE = 500

const moveCommand = command({
  name: 'objects move',
  usage: '--to s3|disk',
  about: 'Copies all files to the other store, also while the shop runs. Run it again to copy what came meanwhile',
  options: { to: { type: 'string' } },
  run: async (terminal, { to }) => {
    const config = terminal.readConfig()
    if (to !== 's3' && to !== 'disk') throw new Failure(400, '--to: give s3 or disk.')
    const [disk, bucket] = [openDiskStorage(objectsFolder(config)), await openBucket(config)]
    const [from, target] = to === 's3' ? [disk, bucket] : [bucket, disk]
    const { copied, present, missing, damaged } = await withServer(config, ({ ownerUrl }) =>
      withClient(ownerUrl, (client) => copyAll(client, from, target)),
    )
    terminal.print(`${copied} files copied, ${present} there already, all compared by their hashes.`)
    if (missing.length + damaged.length > 0)
      throw operatorFailure(
        `Not copied, because they are missing or damaged: ${[...missing, ...damaged].join(', ')}. Restore them from a backup.`,
      )
    terminal.print(
      to === 's3'
        ? 'Start every node with the settings S3_*, then run this once more.'
        : 'Start every node without the settings S3_*, then run this once more.',
    )
  },
})

async function openBucket(config: Config): Promise<Storage> {
  if (!config.s3) throw operatorFailure('S3_ENDPOINT: not set; give the settings S3_* of the bucket.')
  return openStorage(config)
}

/** Copies each missing file. Resumes after an interruption. */
async function copyAll(client: pg.Client, from: Storage, to: Storage) {
  const missing: string[] = []
  const damaged: string[] = []
  let [copied, present] = [0, 0]
  for await (const { key, sha256, mayLack } of listKeys(client)) {
    const there = await to.find(key)
    if (there && (await isSame(to, from, key, there, sha256))) {
      present++
      continue
    }
    const source = await from.open(key).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 404) return null
      throw error
    })
    if (!source) {
      if (!mayLack && !there) missing.push(key)
      continue
    }
    const stored = await to.put(key, source.stream)
    if (sha256 !== null && stored.sha256 !== sha256) {
      await to.remove(key)
      damaged.push(key)
    } else copied++
  }
  return { copied, present, missing, damaged }
}

async function isSame(
  to: Storage,
  from: Storage,
  key: string,
  there: { sizeBytes: number; sha256: string | null },
  sha256: string | null,
): Promise<boolean> {
  const hash = there.sha256 ?? (await measure((await to.open(key)).stream)).sha256
  if (sha256 !== null) return hash === sha256
  const own = await from.open(key).then(
    ({ stream }) => measure(stream),
    () => null,
  )
  return own === null || own.sha256 === hash
}

/** Reads all keys in pages, because copying takes longer than the limit of a transaction. */
async function* listKeys(client: pg.Client): AsyncGenerator<StoredKey> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await client.query<KeyRow>(`${SELECT_KEYS} AND id > $1 ORDER BY id LIMIT $2`, [after, PAGE])
    for (const row of rows) yield* keysOf(row)
    if (rows.length < PAGE) return
    after = lastOf(rows).id
  }
}

const setupCommand = command({
  name: 's3-setup',
  about: 'Writes the CORS and lifecycle rules of the bucket and tries all that the shop does there',
  run: async (terminal) => {
    const config = terminal.readConfig()
    if (!config.s3) throw operatorFailure('S3_ENDPOINT: not set; give the settings S3_* of the bucket.')
    const { setUpBucket } = await import('../../src/uploads/s3/setup.server.ts')
    let problems = 0
    for await (const finding of setUpBucket(config.s3, new URL(addressOf(config)).origin)) {
      terminal.print(showFinding(finding))
      if (finding.grade === 'fail') problems++
    }
    if (problems > 0) throw operatorFailure('The bucket is not ready.')
  },
})

export const objectCommands: Command[] = [setupCommand, moveCommand]
