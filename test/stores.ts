import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3StandIn, startS3 } from '../sandbox/s3/server.ts'
import { openDiskStorage } from '../src/uploads/disk/storage.disk.server.ts'
import { openS3Storage } from '../src/uploads/s3/storage.s3.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'
import type { S3Settings } from '../src/uploads/uploads.settings.server.ts'

// The two stores of the shop, so that a test can run on both.

export type Store = { storage: Storage; open: () => Storage; s3: S3StandIn | null; stop: () => Promise<void> }

export const settingsOf = (s3: S3StandIn): S3Settings => ({
  ...{ endpoint: s3.endpoint, region: s3.region, bucket: s3.bucket, key: s3.key, secret: s3.secret },
  isPathStyle: true,
  isRedirecting: true,
})

export const STORES = ['disk', 's3'] as const

export async function openStore(kind: (typeof STORES)[number], maxBytes = 100 * 1024 * 1024): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'primo-store-'))
  const s3 = kind === 's3' ? await startS3({ folder }) : null
  const open = () => (s3 ? openS3Storage(settingsOf(s3), maxBytes) : openDiskStorage(folder))
  return {
    storage: open(),
    open,
    s3,
    stop: async () => {
      await s3?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
