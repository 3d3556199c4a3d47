import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDiskParts } from './parts.disk.server.ts'
import { openDiskStorage } from './storage.disk.server.ts'

test('starts no upload in parts on a disk without room to sync its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'primo-parts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await using handle = await open(folder)
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync').mockRejectedValueOnce(full)
  onTestFinished(() => sync.mockRestore())
  await expect(openDiskStorage(folder).parts.start('any')).rejects.toMatchObject({ status: 507, code: 'no_room' })
})

test('removes every part after a cancel, even parts that arrive meanwhile or that a killed node left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'primo-parts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const storage = openDiskStorage(folder)
  for (let round = 0; round < 30; round++) {
    const uploadId = await storage.parts.start('any')
    const put = (number: number) =>
      storage.parts.put!('any', uploadId, number, Readable.from([Buffer.from(`part ${number}`)]), {
        maxBytes: 100,
        sha256: null,
      }).catch((error: unknown) => expect(error).toMatchObject({ status: 404, code: 'NoSuchUpload' }))
    const numbers = Array.from({ length: 24 }, (_, i) => i + 1)
    await Promise.all(numbers.slice(0, 12).map(put))
    await Promise.all([...numbers.slice(12).map(put), storage.parts.abort('any', uploadId)])
    await storage.parts.abort('any', uploadId)
  }
  expect([await readdir(join(folder, 'parts')), await readdir(join(folder, 'tmp'))]).toEqual([[], []])

  await mkdir(join(folder, 'tmp', 'half-removed'))
  await writeFile(join(folder, 'tmp', 'half-removed', 'part'), 'bytes')
  expect(await storage.removeAbandoned(-1000)).toBe(1)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('closes the read parts when a join fails on a full disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'primo-parts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { parts } = openDiskParts({
    ...{ folder, drafts: folder },
    putWhole: async (_key, stream) => {
      await once(stream, 'readable')
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    },
    measure: () => Promise.reject(new Error('there is nothing')),
  })
  const uploadId = await parts.start('any')
  const bytes = Buffer.alloc(1024 * 1024, 7)
  const { etag } = await parts.put('any', uploadId, 1, Readable.from([bytes]), { maxBytes: bytes.length, sha256: null })
  const countOpen = async () => (await readdir('/proc/self/fd').catch(() => [])).length
  const before = await countOpen()
  for (let n = 0; n < 10; n++)
    await expect(parts.finish('any', uploadId, [{ number: 1, etag }])).rejects.toThrow('no space left')
  await expect.poll(countOpen).toBeLessThan(before + 5)
})
