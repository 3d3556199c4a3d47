import { join } from 'node:path'
import { openDiskStorage } from './disk/storage.disk.server.ts'
import { openScanner } from './scan.server.ts'
import type { Storage } from './storage.server.ts'
import type { UploadsConfig } from './uploads.settings.server.ts'

export const objectsFolder = ({ dataDir }: { dataDir: string }) => join(dataDir, 'objects')

export type StorageConfig = { dataDir: string } & Pick<UploadsConfig, 's3' | 'maxFileBytes' | 'clamd'>

export async function openStorage(config: StorageConfig): Promise<Storage> {
  const scan = config.clamd ? openScanner(config.clamd) : undefined
  if (!config.s3) return { ...openDiskStorage(objectsFolder(config)), scan }
  const { openS3Storage } = await import('./s3/storage.s3.server.ts')
  return { ...openS3Storage(config.s3, config.maxFileBytes), scan }
}
