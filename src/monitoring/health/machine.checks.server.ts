import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import type { Config } from '../../kit/config.server.ts'
import { fail, type Finding, ok, warn } from '../../kit/health/finding.rules.ts'
import { findLiveProviders, type ProviderSettings } from '../../providers/live.server.ts'

const MIN_NODE = [24, 7] as const
const MIN_BYTES = 200 * 1024 * 1024
const SCARCE_BYTES = 2 * 1024 * 1024 * 1024

export const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isFit = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
  if (isFit) return ok('node', version)
  return fail(
    'node',
    `${version} is too old`,
    `run Node ${MIN_NODE.join('.')} or newer, or start with npm, which brings it`,
  )
}

export async function checkFolder({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    return fail(
      'data folder',
      `${dataDir} cannot be written (${why})`,
      'set DATA_DIR to a folder that this user may write',
    )
  }
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const says = `${dataDir}, ${megabytes(free)} free`
  if (free < MIN_BYTES) return fail('data folder', says, 'free space on this disk: the shop does not start')
  return free < SCARCE_BYTES ? warn('data folder', says, 'free space on this disk soon') : ok('data folder', says)
}

type DatabaseSettings = Pick<Config, 'mode' | 'databaseUrl'> & ProviderSettings

/**
 * Warns of the embedded PostgreSQL in production or with real payments, because it gets security fixes late. Null if
 * the database is suitable.
 */
export function checkTrialDatabase({ mode, databaseUrl, ...providers }: DatabaseSettings): Finding | null {
  if (databaseUrl) return null
  const live = findLiveProviders(providers)
  if (live.length === 0 && mode !== 'production') return null
  const payments = live.length > 0 ? `live payments (${live.join(', ')}) are recorded in the embedded PostgreSQL. ` : ''
  return warn(
    'trial database',
    `${payments}${payments ? 'It' : 'the embedded PostgreSQL'} is for trials: its fixes arrive months after those of PostgreSQL`,
    'set DATABASE_URL to a PostgreSQL that you or your host keep up to date; docs/operating/postgresql.md shows how to move the data',
  )
}
