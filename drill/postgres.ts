import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Home, openHome } from '../src/kit/embedded/home.server.ts'
import { bringUp, type Settings } from '../src/kit/embedded/postmaster.server.ts'
import { isRoot, run } from '../src/kit/embedded/programs.server.ts'
import { migrate } from '../src/kit/schema/migrate.server.ts'
import { only } from '../src/kit/values/required.ts'

// A separate PostgreSQL server that a drill can stop, and restart on the same port.

export type OwnServer = Awaited<ReturnType<typeof openServer>>
/** 'fast' shuts the server down cleanly; 'immediate' is a crash. */
export type Stopping = 'fast' | 'immediate'

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export async function openServer(settings: Settings = {}) {
  return serve(await makeFolder(), settings)
}

/**
 * Opens a streaming replica of `primary`, which needs `wal_level: 'replica'` and `max_wal_senders`. Stops the primary
 * for a moment to copy its files, because the packages contain no pg_basebackup.
 */
export async function openStandby(primary: OwnServer): Promise<OwnServer> {
  const dataDir = await makeFolder()
  await primary.stop('fast')
  await run('cp', ['-a', join(primary.dataDir, 'postgres'), join(dataDir, 'postgres')])
  await primary.start()
  const { hostname: host, port, password } = new URL(primary.urlOf('postgres'))
  const conninfo = `host=${host} port=${port} user=postgres password=${password}`
  const signal = join(dataDir, 'postgres/data/standby.signal')
  await run('cp', ['-a', join(dataDir, 'postgres/data/PG_VERSION'), signal])
  return serve(dataDir, { ...primary.settings, primary_conninfo: conninfo })
}

/** Copies the files of a running server into a folder. The WAL from this moment on makes the copy consistent. */
export async function copyBase(server: OwnServer): Promise<string> {
  const dataDir = await makeFolder()
  const client = new pg.Client({ connectionString: server.urlOf('postgres') })
  await client.connect()
  await client.query(`SELECT pg_backup_start('drill', true)`)
  await run('cp', ['-a', join(server.dataDir, 'postgres'), join(dataDir, 'postgres')])
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()')
  await client.end()
  const inData = (name: string) => join(dataDir, 'postgres/data', name)
  for (const name of ['recovery.signal', 'backup_label']) await run('cp', ['-a', inData('PG_VERSION'), inData(name)])
  await writeFile(inData('backup_label'), only(rows).labelfile)
  await run('rm', ['-rf', inData('postmaster.pid'), inData('pg_wal')])
  await run('install', ['-d', '-m', '700', ...(await ownerOf(inData('base'))), inData('pg_wal')])
  return dataDir
}

const ownerOf = async (path: string) => {
  const { uid, gid } = await stat(path)
  return isRoot ? ['-o', String(uid), '-g', String(gid)] : []
}

export async function openRestored(
  dataDir: string,
  { archive, until, settings }: { archive: string; until: string; settings: Settings },
): Promise<OwnServer> {
  const server = await serve(dataDir, {
    ...settings,
    archive_mode: 'off',
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: until,
    recovery_target_action: 'promote',
  })
  await waitUntilPromoted(server)
  return server
}

export async function waitUntilPromoted(server: Pick<OwnServer, 'urlOf'>) {
  const client = new pg.Client({ connectionString: server.urlOf('postgres') })
  await client.connect()
  while (only((await client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is')).rows).is) await pause(20)
  await client.end()
}

export async function makeFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'primo-drill-db-'))
  // If the drill runs as root, the user postgres needs access.
  await chmod(dataDir, 0o755)
  return dataDir
}

async function serve(dataDir: string, settings: Settings) {
  const home = await openHome({ dataDir, say: () => undefined, leastFreeBytes: 0, isSafe: true })
  return serveHome(home, dataDir, settings)
}

/** Starts the server in `home`. `remove` also deletes `dataDir`. */
export async function serveHome(home: Home, dataDir: string, settings: Settings) {
  const { port } = await bringUp(home, settings)
  const urlOf = (name: string) => `postgres://postgres:${home.password}@127.0.0.1:${port}/${name}`

  async function pid(): Promise<number> {
    return Number((await readFile(join(home.pgDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
  }

  async function createDatabase(name: string): Promise<string> {
    const maker = new pg.Client({ connectionString: urlOf('postgres') })
    await maker.connect()
    await maker.query(`CREATE DATABASE ${maker.escapeIdentifier(name)}`)
    await maker.end()
    await migrate(urlOf(name))
    return urlOf(name)
  }

  async function stop(how: Stopping) {
    const postmaster = await pid()
    process.kill(postmaster, SIGNALS[how])
    while (isAlive(postmaster)) await pause(10)
  }

  return {
    dataDir,
    settings,
    urlOf,
    createDatabase,
    stop,
    start: () => bringUp(home, settings, port),
    pid,
    remove: async () => {
      await stop('immediate').catch(() => undefined)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
