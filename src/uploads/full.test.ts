import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { issue, startServed, upload } from '../../test/served.ts'
import { uploadRoutes } from './uploads.server.ts'

// Skipped unless root can mount a disk of eight megabytes.

const folder = mkdtempSync(join(tmpdir(), 'primo-full-'))
const isMounted = mount()

function mount() {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

afterAll(async () => {
  if (isMounted) execFileSync('umount', ['-l', folder])
  await rm(folder, { recursive: true, force: true })
})

test.skipIf(!isMounted)(
  'rejects a file on a full disk, stores nothing of it and accepts it when there is room',
  async () => {
    const config = { maxFileBytes: 100 * 1024 * 1024 }
    const shop = await startServed(
      (storage) => uploadRoutes({ storage, secret: 'x'.repeat(32), config, publicUrl: undefined }),
      { folder },
    )
    try {
      const ada = await shop.addPerson()
      const url = await issue(shop, ada)
      for (let round = 0; round < 5; round++) {
        const refused = await fetch(url, { method: 'PUT', body: randomBytes(9 * 1024 * 1024) })
        expect(refused.status).toBe(507)
        expect(await shop.files()).toEqual([])
      }
      expect(await shop.db.selectFrom('objects').select('status').execute()).toEqual([{ status: 'issued' }])
      expect((await fetch(url, { method: 'PUT', body: randomBytes(1024) })).status).toBe(200)
      await upload(shop, ada, randomBytes(1024))

      const { parts } = shop.storage
      const [key, uploadId] = [crypto.randomUUID(), await parts.start('any')]
      const put = (number: number, size: number) =>
        parts.put!(key, uploadId, number, Readable.from([randomBytes(size)]), { maxBytes: size, sha256: null })
      const { etag } = await put(1, 5 * 1024 * 1024)
      await expect(put(2, 5 * 1024 * 1024)).rejects.toMatchObject({ status: 507 })
      // a join needs twice the size
      await expect(parts.finish(key, uploadId, [{ number: 1, etag }])).rejects.toMatchObject({ status: 507 })
      expect(await parts.list(key, uploadId)).toHaveLength(1)
      expect((await shop.files()).filter(({ parentPath }) => parentPath.endsWith('tmp'))).toEqual([])
    } finally {
      await shop.stop()
    }
  },
)
