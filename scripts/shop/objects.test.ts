import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type S3StandIn, startS3 } from '../../sandbox/s3/server.ts'
import { closeDatabase, type Database, openDatabase } from '../../src/kit/database.server.ts'
import { openDiskStorage } from '../../src/uploads/disk/storage.disk.server.ts'
import { firstKey } from '../../src/uploads/images/images.server.ts'
import { openS3Storage } from '../../src/uploads/s3/storage.s3.server.ts'
import { settingsOf } from '../../test/stores.ts'
import { createTestDatabase } from '../../test/database.ts'
import { terminal } from './run.test.help.ts'

let folder = ''
let s3: S3StandIn
let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database
let env: Record<string, string>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'primo-move-'))
  s3 = await startS3({ folder: join(folder, 'bucket') })
  scratch = await createTestDatabase()
  database = openDatabase(scratch.url, { size: 2 })
  env = {
    ...{ DATABASE_URL: scratch.url, DATA_DIR: folder, LOG_LEVEL: 'silent', S3_ENDPOINT: s3.endpoint },
    ...{ S3_BUCKET: s3.bucket, S3_KEY: s3.key, S3_SECRET: s3.secret, S3_FORCE_PATH_STYLE: '1' },
  }
})
afterEach(async () => {
  await closeDatabase(database)
  await scratch.drop()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const run = (command: string) => terminal(env)(command)
const disk = () => openDiskStorage(join(folder, 'objects'))
const bucket = () => openS3Storage(settingsOf(s3), 1e9)

async function addFiles(sizes: number[]) {
  const userId = randomUUID()
  await database.db
    .insertInto('users')
    .values({ id: userId, email: `${userId}@example.com` })
    .execute()
  const files = sizes.map((size) => ({ id: randomUUID(), bytes: randomBytes(size) }))
  for (const { id, bytes } of files) {
    const { sizeBytes, sha256 } = await disk().put(id, Readable.from([bytes]))
    const row = { id, userId, status: 'bound' as const, sizeBytes, sha256, storedAt: new Date(), expiresAt: new Date() }
    await database.db.insertInto('objects').values(row).execute()
  }
  return files
}

test('moves all files to the bucket, resumes after an interruption and compares hashes', async () => {
  const files = await addFiles([10, 2000, 6 * 1024 * 1024, 50])
  const third = new RegExp(files.map(({ id }) => id).sort()[2]!)
  for (const method of ['PUT', 'POST']) s3.faults.push({ method, path: third, status: 503, times: 4 })
  expect((await run('objects move --to s3')).code).toBe(1)
  s3.faults.length = 0
  // Half a file, left by another copy tool.
  await bucket().put(files[1]!.id, Readable.from([files[1]!.bytes.subarray(1000)]))
  const moved = await run('objects move --to s3')
  expect([moved.code, moved.err]).toEqual([0, []])
  expect(moved.out.join('\n')).toMatch(/[23] files copied, [12] there already/)
  for (const { id, bytes } of files) expect((await buffer((await bucket().open(id)).stream)).equals(bytes)).toBe(true)
  const again = await run('objects move --to s3')
  expect(again.out[0]).toBe('0 files copied, 4 there already, all compared by their hashes.')
})

test('moves the images of an upload without a content type', async () => {
  const [image] = await addFiles([10])
  await database.db.updateTable('objects').set({ color: '#2740b5' }).where('id', '=', image!.id).execute()
  await disk().put(firstKey(image!.id), Readable.from([randomBytes(20)]))
  expect((await run('objects move --to s3')).code).toBe(0)
  expect([...s3.store.objects.keys()].sort()).toEqual([image!.id, firstKey(image!.id)].sort())
})

test('reports missing or damaged files and does not copy them', async () => {
  const [lost, broken, good] = await addFiles([10, 20, 30])
  await disk().remove(lost!.id)
  await disk().put(broken!.id, Readable.from([randomBytes(20)]))
  const moved = await run('objects move --to s3')
  expect(moved.code).toBe(1)
  expect(moved.err.join()).toContain(lost!.id)
  expect(moved.err.join()).toContain(broken!.id)
  expect([...s3.store.objects.keys()]).toEqual([good!.id])
})

test('sets up a bucket and tests it as a page would use it', async () => {
  const done = await run('s3-setup')
  expect([done.code, done.err]).toEqual([0, []])
  expect(done.out.map((line) => line.split(/\s+/)[0])).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
  expect(s3.config.cors).toContain('<AllowedOrigin>http://localhost:3000</AllowedOrigin>')
  expect(s3.config.lifecycle).toContain('<AbortIncompleteMultipartUpload>')
  expect(s3.store.objects.size).toBe(0)
})

test('reports a bucket that is not ready', async () => {
  const wrong = await terminal({ ...env, S3_SECRET: 'another' })('s3-setup')
  expect(wrong.code).toBe(1)
  expect(wrong.out.join('\n')).toMatch(/^fail {2}signed PUT +403/m)
  const none = await terminal({ DATABASE_URL: env.DATABASE_URL!, DATA_DIR: folder })('s3-setup')
  expect(none.err.join()).toContain('S3_ENDPOINT: not set')
})
