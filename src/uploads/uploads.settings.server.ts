import { isIP } from 'node:net'
import { z } from 'zod'
import { address, flag, type Given, needAll, whole } from '../kit/config.server.ts'
import { operatorFailure } from '../kit/failure.ts'
import { REMOTE_SOURCES, type RemoteSource } from './remote/sources.ts'
import { required } from '../kit/values/required.ts'

const credential = (of: string) => z.string().min(1).optional().describe(of)

const REMOTE_SETTINGS = {
  COMPANION_DRIVE_KEY: credential('the client ID of an OAuth client at Google'),
  COMPANION_DRIVE_SECRET: credential('the secret of that client'),
  COMPANION_DROPBOX_KEY: credential('the app key of an app at Dropbox'),
  COMPANION_DROPBOX_SECRET: credential('the app secret of that app'),
  COMPANION_ONEDRIVE_KEY: credential('the application ID of an app at Microsoft'),
  COMPANION_ONEDRIVE_SECRET: credential('the client secret of that app'),
}

export const UPLOADS_SETTINGS = {
  MAX_DIGITAL_FILE_MB: whole(1, 5000, 100, 'number of megabytes'),
  UPLOAD_MB_PER_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('a whole number of megabytes from 1 to 1000000'),
  CLAMD: z
    .string()
    .regex(/^(\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i)
    .optional()
    .describe('the address of a ClamAV daemon, such as 127.0.0.1:3310'),
  S3_ENDPOINT: address.optional().describe('the address of an S3 store, such as https://s3.eu-central-1.amazonaws.com'),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1')
    .describe('a region, such as eu-central-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe('the name of a bucket of its own'),
  S3_KEY: z.string().min(1).optional().describe('the id of an access key'),
  S3_SECRET: z.string().min(1).optional().describe('the secret of that access key'),
  S3_FORCE_PATH_STYLE: flag.default(false).describe('1 when the bucket is part of the path, otherwise 0'),
  ...REMOTE_SETTINGS,
  BACKUP_S3_ENDPOINT: address.optional().describe('the address of the S3 store of backups; left out it is S3_ENDPOINT'),
  BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .optional()
    .describe('the region of the backups; left out it is S3_REGION'),
  BACKUP_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe('the name of a bucket for backups; left out it is S3_BUCKET'),
  BACKUP_S3_KEY: z.string().min(1).optional().describe('the id of an access key; left out it is S3_KEY'),
  BACKUP_S3_SECRET: z.string().min(1).optional().describe('the secret of that access key; left out it is S3_SECRET'),
  BACKUP_KEEP: whole(1, 1000, 14, 'number of backups'),
  S3_DOWNLOADS: z.enum(['redirect', 'stream']).default('redirect').describe('redirect or stream'),
}

export type UploadsConfig = ReturnType<typeof resolveUploads>
export type S3Settings = NonNullable<UploadsConfig['s3']>

const MB = 1024 * 1024
const USUAL_DAY_MB = 1024

export const resolveUploads = (given: Given<typeof UPLOADS_SETTINGS>) => ({
  maxFileBytes: given.MAX_DIGITAL_FILE_MB * MB,
  // two files of the maximum size fit
  maxBytesPerDay: (given.UPLOAD_MB_PER_DAY ?? Math.max(USUAL_DAY_MB, 2 * given.MAX_DIGITAL_FILE_MB)) * MB,
  clamd: given.CLAMD,
  s3: resolveS3(given),
  backups: { s3: resolveBackups(given), keep: given.BACKUP_KEEP },
  remote: resolveRemote(given),
})

export type RemoteSettings = Partial<Record<RemoteSource, { key: string; secret: string }>>

function resolveRemote(given: Given<typeof UPLOADS_SETTINGS>): RemoteSettings {
  needAll(given, ['COMPANION_DRIVE_KEY', 'COMPANION_DRIVE_SECRET'])
  needAll(given, ['COMPANION_DROPBOX_KEY', 'COMPANION_DROPBOX_SECRET'])
  needAll(given, ['COMPANION_ONEDRIVE_KEY', 'COMPANION_ONEDRIVE_SECRET'])
  const pairs = REMOTE_SOURCES.map((source) => {
    const prefix = `COMPANION_${source.toUpperCase() as Uppercase<RemoteSource>}` as const
    return [source, { key: given[`${prefix}_KEY`], secret: given[`${prefix}_SECRET`] }] as const
  })
  const remote = Object.fromEntries(pairs.filter(([, { key }]) => key !== undefined)) as RemoteSettings
  const [source] = Object.keys(remote)
  if (source && !isCompanionInstalled())
    throw operatorFailure(
      `COMPANION_${source.toUpperCase()}_KEY: imports from clouds need a package that is not installed; ` +
        'add it with npm run companion, or to an image with the build argument COMPANION=1.',
    )
  return remote
}

function isCompanionInstalled(): boolean {
  try {
    import.meta.resolve('@uppy/companion')
    return true
  } catch {
    return false
  }
}

/** A missing setting defaults to that of the shop's own bucket. */
function resolveBackups(given: Given<typeof UPLOADS_SETTINGS>) {
  return resolveS3({
    ...given,
    S3_ENDPOINT: given.BACKUP_S3_ENDPOINT ?? given.S3_ENDPOINT,
    S3_REGION: given.BACKUP_S3_REGION ?? given.S3_REGION,
    S3_BUCKET: given.BACKUP_S3_BUCKET ?? given.S3_BUCKET,
    S3_KEY: given.BACKUP_S3_KEY ?? given.S3_KEY,
    S3_SECRET: given.BACKUP_S3_SECRET ?? given.S3_SECRET,
  })
}

function resolveS3(given: Given<typeof UPLOADS_SETTINGS>) {
  needAll(given, ['S3_ENDPOINT', 'S3_BUCKET', 'S3_KEY', 'S3_SECRET'])
  if (given.S3_ENDPOINT === undefined) return undefined
  return {
    endpoint: given.S3_ENDPOINT,
    region: given.S3_REGION,
    bucket: required(given.S3_BUCKET, 'S3_BUCKET'),
    key: required(given.S3_KEY, 'S3_KEY'),
    secret: required(given.S3_SECRET, 'S3_SECRET'),
    // an IP address has no subdomains
    isPathStyle: given.S3_FORCE_PATH_STYLE || isIP(new URL(given.S3_ENDPOINT).hostname) !== 0,
    isRedirecting: given.S3_DOWNLOADS === 'redirect',
  }
}
