import { join } from 'node:path'
import { startS3 } from '../../sandbox/s3/server.ts'
import { setUpBucket } from '../../src/uploads/s3/setup.server.ts'
import type { S3Settings } from '../../src/uploads/uploads.settings.server.ts'
import { startOwnShop } from '../ownShop.ts'
import { expect } from '../shop.ts'

export const STORES = ['disk', 's3'] as const
export type Store = (typeof STORES)[number]
export type StoreShop = { url: string; bucket: S3Settings | null; stop: () => Promise<void> }

/** Starts a shop that stores files in a folder, or in an S3 stand-in with its bytes in `folder`. */
export async function startStoreShop(
  store: Store,
  folder: string,
  settings: Record<string, string>,
): Promise<StoreShop> {
  if (store === 'disk') return { ...(await startOwnShop(settings)), bucket: null }
  const s3 = await startS3({ folder: join(folder, 's3') })
  const { endpoint, region, bucket: name, key, secret } = s3
  const given = { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: name, S3_KEY: key, S3_SECRET: secret }
  const shop = await startOwnShop({ ...settings, ...given, S3_FORCE_PATH_STYLE: '1' })
  const bucket = { endpoint, region, bucket: name, key, secret, isPathStyle: true, isRedirecting: true }
  for await (const finding of setUpBucket(bucket, shop.url)) expect(finding.grade, finding.says).not.toBe('fail')
  return { url: shop.url, bucket, stop: () => shop.stop().finally(s3.stop) }
}
