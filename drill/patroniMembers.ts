import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgresAccount, isRoot } from '../src/kit/embedded/programs.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { required } from '../src/kit/values/required.ts'

// The servers under Patroni: a primary and two standbys, each with a Patroni process and, if mount works, a disk.

const VERSIONS = '/usr/lib/postgresql'
const MEMBERS = ['first', 'second', 'third']
/** Patroni replaces a leader that sent no heartbeat for so many seconds. */
const TTL = 10
const READY_MS = 120_000
const DISK_MB = 1_000

export type Member = { name: string; port: number; restPort: number; folder: string; child: ChildProcess | null }
type State = { name: string; role: string; state: string }

/** Returns the folder of the newest PostgreSQL with pg_basebackup and pg_rewind. */
export function findBin(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const folders = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))
  return folders
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((bin) => ['pg_basebackup', 'pg_rewind', 'postgres'].every((name) => existsSync(join(bin, name))))
}

const isLed = ({ role, state }: State) => role === 'leader' && state === 'running'
const isFollowing = ({ role, state }: State) => role !== 'leader' && (state === 'streaming' || state === 'running')
export const hasLeader = (states: State[]) => states.some(isLed)
export const isWhole = (states: State[]) =>
  hasLeader(states) && states.filter(isFollowing).length === 2 && states.some(({ role }) => role === 'sync_standby')
export const isLedByOther = (states: State[], { name }: Member) => states.some((one) => isLed(one) && one.name !== name)

export type Members = Awaited<ReturnType<typeof openMembers>>

export async function openMembers(folder: string, etcdPort: number) {
  const account = isRoot ? await findPostgresAccount() : undefined
  const password = randomBytes(12).toString('hex')
  const list: Member[] = []
  const mounted: string[] = []
  const own = async (path: string) => account && chown(path, account.uid, account.gid)
  for (const name of MEMBERS) {
    const ports = { port: await findFreePort(), restPort: await findFreePort() }
    const home = join(folder, name)
    list.push({ name, ...ports, folder: home, child: null })
    await mkdir(home)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', home])
    if (status === 0) mounted.push(home)
    await own(home)
  }

  async function start(member: Member) {
    const home = member.folder
    const file = join(home, 'patroni.json')
    await writeFile(file, JSON.stringify(settingsOf(member, { etcdPort, password })))
    await own(file)
    const child = spawn('patroni', [file], {
      ...account,
      cwd: home,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      stdio: 'ignore',
    })
    child.on('error', () => undefined)
    member.child = child
  }

  async function until(isSo: (states: State[]) => boolean, what: string) {
    const end = performance.now() + READY_MS
    for (;;) {
      const states = await readStates(list)
      if (states && isSo(states)) return states
      if (performance.now() > end) throw new Error(`Patroni: not ${what}: ${JSON.stringify(states)}`)
      await pause(100)
    }
  }

  return {
    list,
    password,
    hasDisks: mounted.length === list.length,
    start,
    kill,
    until,
    leaderIn: (states: State[]) => {
      const leader = states.find(isLed)
      return required(
        list.find(({ name }) => name === leader?.name),
        'the leader',
      )
    },
    stop: async () => {
      for (const member of list) await kill(member).catch(() => undefined)
      await pause(500)
      for (const home of mounted) spawnSync('umount', ['--lazy', home])
    },
  }
}

async function readStates(members: Member[]): Promise<State[] | null> {
  for (const { restPort, child } of members) {
    if (!child || child.exitCode !== null || child.signalCode !== null) continue
    try {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
      return ((await answer.json()) as { members: State[] }).members
    } catch {
      // this member does not answer; try the next one
    }
  }
  return null
}

async function kill({ folder, child }: Member) {
  const postmaster = Number((await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
  // kills Patroni first, because it would restart PostgreSQL
  child?.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
}

/** Returns the settings of Patroni. It accepts JSON, because JSON is valid YAML. */
function settingsOf(
  { name, port, restPort, folder }: Member,
  { etcdPort, password }: Record<'etcdPort', number> & Record<'password', string>,
) {
  const user = (username: string) => ({ username, password })
  return {
    scope: 'shop',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: 1,
        retry_timeout: 3,
        // replace a crashed primary at once instead of restarting it
        primary_start_timeout: 0,
        // the primary acknowledges a commit only after a second server has stored it
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 200,
            shared_buffers: '64MB',
            wal_log_hints: 'on',
            max_wal_size: '128MB',
            hot_standby_feedback: 'on',
            timezone: 'UTC',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: findBin(),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
    },
  }
}
