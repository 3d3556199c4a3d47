import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgresAccount, isRoot } from '../src/kit/embedded/programs.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { openHaproxy, type Proxy, startProgram } from './proxies.ts'
import { firstOf } from '../src/kit/values/required.ts'

// A primary and two standbys, one of them synchronous, which Patroni leads by etcd. HAProxy asks Patroni who leads. All come from the
// system's packages.

const VERSIONS = '/usr/lib/postgresql'
const MEMBERS = ['first', 'second', 'third']
/** Seconds after which a leader that says nothing is given up. */
const TTL = 10
const READY_MS = 120_000
const DISK_MB = 1_000

/** The folder of the newest PostgreSQL that can copy a base and rewind. */
function findBin(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const folders = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))
  return folders
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((bin) => ['pg_basebackup', 'pg_rewind', 'postgres'].every((name) => existsSync(join(bin, name))))
}

export const missingForPatroni = () => [
  ...['etcd', 'patroni'].filter((program) => spawnSync(program, ['--version']).status !== 0),
  ...(findBin() ? [] : ['postgresql']),
]

type Member = { name: string; port: number; restPort: number; folder: string; child: ChildProcess | null }
type State = { name: string; role: string; state: string }
export type Patroni = Awaited<ReturnType<typeof openPatroni>>

export async function openPatroni(database: string) {
  const account = isRoot ? await findPostgresAccount() : undefined
  const folder = await mkdtemp(join(tmpdir(), 'primo-patroni-'))
  await chmod(folder, 0o755)
  const own = async (path: string) => account && chown(path, account.uid, account.gid)
  const password = randomBytes(12).toString('hex')
  const etcd = await openEtcd(join(folder, 'etcd'))
  const stopping: (() => Promise<unknown>)[] = [etcd.stop]
  const members: Member[] = []
  for (const name of MEMBERS) {
    const own = { port: await findFreePort(), restPort: await findFreePort() }
    members.push({ name, ...own, folder: join(folder, name), child: null })
  }

  const mounted: string[] = []
  const hasDisks = () => mounted.length === members.length
  for (const { folder: home } of members) {
    await mkdir(home)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', home])
    if (status === 0) mounted.push(home)
    await own(home)
  }

  async function start(member: Member) {
    const { name, folder: home } = member
    const file = join(home, 'patroni.json')
    await writeFile(file, JSON.stringify(settingsOf(member, { etcdPort: etcd.port, password })))
    await own(file)
    const child = spawn('patroni', [file], {
      ...account,
      cwd: home,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      stdio: 'ignore',
    })
    child.on('error', () => undefined)
    member.child = child
    return name
  }

  async function look(): Promise<State[] | null> {
    for (const { restPort, child } of members) {
      if (!child || child.exitCode !== null || child.signalCode !== null) continue
      try {
        const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
        return ((await answer.json()) as { members: State[] }).members
      } catch {
        // another one knows
      }
    }
    return null
  }
  const isLed = ({ role, state }: State) => role === 'leader' && state === 'running'
  const isFollowing = ({ role, state }: State) => role !== 'leader' && (state === 'streaming' || state === 'running')

  async function until(isSo: (states: State[]) => boolean, what: string) {
    const end = performance.now() + READY_MS
    for (;;) {
      const states = await look()
      if (states && isSo(states)) return states
      if (performance.now() > end) throw new Error(`Patroni: not ${what}: ${JSON.stringify(states)}`)
      await pause(100)
    }
  }
  const leaderIn = (states: State[]) => members.find(({ name }) => name === states.find(isLed)?.name)!

  async function kill(member: Member) {
    const postmaster = Number((await readFile(join(member.folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
    // as when a machine dies: the one that would restart it goes first
    member.child?.kill('SIGKILL')
    process.kill(postmaster, 'SIGKILL')
  }

  stopping.push(async () => {
    for (const member of members) await kill(member).catch(() => undefined)
    await pause(500)
    for (const home of mounted) spawnSync('umount', ['--lazy', home])
  })
  try {
    await start(firstOf(members))
    await until((states) => states.some(isLed), 'led')
    for (const member of members.slice(1)) await start(member)
    const isWhole = (states: State[]) =>
      states.filter(isFollowing).length === 2 && states.some(({ role }) => role === 'sync_standby')
    await until((states) => states.some(isLed) && isWhole(states), 'whole')
    const proxies: Record<'primary' | 'replica', Proxy> = {
      primary: await openHaproxy(members, '/primary'),
      replica: await openHaproxy(members, '/replica'),
    }
    stopping.push(proxies.primary.stop, proxies.replica.stop)
    const urlOf = (port: number, name = database) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`
    return {
      url: urlOf(proxies.primary.port),
      replicaUrl: urlOf(proxies.replica.port),
      adminUrl: urlOf(proxies.primary.port, 'postgres'),
      failOver: async () => {
        const old = leaderIn(await until((states) => states.some(isLed) && isWhole(states), 'whole'))
        const killedAt = performance.now()
        await kill(old)
        await until((states) => states.some((one) => isLed(one) && one.name !== old.name), 'led again')
        return { old, ms: performance.now() - killedAt }
      },
      rejoin: async (member: Member) => {
        await start(member)
        await until((states) => states.some(isLed) && isWhole(states), 'whole again')
      },
      hasDisks: hasDisks(),
      fillDisk: async (ms: number) => {
        const full = leaderIn(await until((states) => states.some(isLed) && isWhole(states), 'whole'))
        const empty = await fill(join(full.folder, 'ballast'))
        await pause(ms)
        await empty()
        await pause(5_000)
        if (full.child?.exitCode !== null) await start(full)
        const states = await until((states) => states.some(isLed) && isWhole(states), 'whole again')
        return { isReplaced: leaderIn(states) !== full }
      },
      standbyUrls: async () => {
        const leader = leaderIn(await until((states) => states.some(isLed), 'led'))
        return members.filter((one) => one !== leader).map(({ port }) => urlOf(port))
      },
      stop: async () => {
        for (const stop of stopping.toReversed()) await stop()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    for (const stop of stopping.toReversed()) await stop().catch(() => undefined)
    throw error
  }
}

async function fill(path: string): Promise<() => Promise<void>> {
  const file = await open(path, 'w')
  const block = Buffer.alloc(1 << 20)
  const smallest = 4096
  let isOver = false
  const filling = (async () => {
    for (let size = block.length; !isOver;) {
      try {
        await file.write(block, 0, size)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        if (size > smallest) size /= 2
        else await pause(20)
      }
    }
  })()
  return async () => {
    isOver = true
    await filling
    await file.close()
    await rm(path)
  }
}

async function openEtcd(folder: string): Promise<Proxy> {
  const [port, peer] = [await findFreePort(), await findFreePort()]
  const [client, between] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`]
  const args = [
    ...['--name', 'drill', '--data-dir', folder, '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...[
      '--listen-peer-urls',
      between,
      '--initial-advertise-peer-urls',
      between,
      '--initial-cluster',
      `drill=${between}`,
    ],
  ]
  return startProgram('etcd', args, port, folder)
}

/** Patroni reads JSON as YAML. */
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
        // a server that crashed is replaced, not restarted
        primary_start_timeout: 0,
        // what was acknowledged stands on a second server
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
