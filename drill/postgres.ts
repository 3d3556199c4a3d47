import { mkdtemp, chmod, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openHome } from '../src/kit/embedded/home.server.ts'
import { bringUp, type Settings } from '../src/kit/embedded/postmaster.server.ts'
import { migrate } from '../src/kit/schema/migrate.server.ts'

// A separate PostgreSQL server that a drill can stop, and restart on the same port.

export type OwnServer = Awaited<ReturnType<typeof openServer>>
/** 'fast' closes connections in order, 'immediate' is a crash. */
export type Stopping = 'fast' | 'immediate'

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export async function openServer(settings: Settings = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'primo-drill-db-'))
  // If the drill runs as root, the user postgres needs access.
  await chmod(dataDir, 0o755)
  const home = await openHome({ dataDir, say: () => undefined, leastFreeBytes: 0, isSafe: true })
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
