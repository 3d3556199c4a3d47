import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDiskStorage } from './storage.disk.server.ts'

test('an upload in parts does not start on a disk that has no room to sync its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'primo-parts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await using handle = await open(folder)
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync').mockRejectedValueOnce(full)
  onTestFinished(() => sync.mockRestore())
  await expect(openDiskStorage(folder).parts.start('any')).rejects.toMatchObject({ status: 507, code: 'no_room' })
})
