import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { firstOf } from '../src/kit/values/required.ts'
import { findBin, hasLeader, isLedByOther, isWhole, type Member, openMembers } from './patroniMembers.ts'
import { openHaproxy, type Proxy, startProgram } from './proxies.ts'

// A primary and two standbys, one of them synchronous. Patroni manages them with etcd. HAProxy gets the leader from
// Patroni. All programs come from system packages.

export const missingForPatroni = () => [
  ...['etcd', 'patroni'].filter((program) => spawnSync(program, ['--version']).status !== 0),
  ...(findBin() ? [] : ['postgresql']),
]

export type Patroni = Awaited<ReturnType<typeof openPatroni>>

export async function openPatroni(database: string) {
  const folder = await mkdtemp(join(tmpdir(), 'primo-patroni-'))
  await chmod(folder, 0o755)
  const etcd = await openEtcd(join(folder, 'etcd'))
  const members = await openMembers(folder, etcd.port)
  const stopping: (() => Promise<unknown>)[] = [etcd.stop, members.stop]
  const { list, password, start, kill, until, leaderIn } = members
  try {
    await start(firstOf(list))
    await until(hasLeader, 'led')
    for (const member of list.slice(1)) await start(member)
    await until(isWhole, 'whole')
    const primary = await openHaproxy(list, '/primary')
    const replica = await openHaproxy(list, '/replica')
    stopping.push(primary.stop, replica.stop)
    const urlOf = (port: number, name = database) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`
    return {
      url: urlOf(primary.port),
      replicaUrl: urlOf(replica.port),
      adminUrl: urlOf(primary.port, 'postgres'),
      failOver: async () => {
        const old = leaderIn(await until(isWhole, 'whole'))
        const killedAt = performance.now()
        await kill(old)
        await until((states) => isLedByOther(states, old), 'led again')
        return { old, ms: performance.now() - killedAt }
      },
      rejoin: async (member: Member) => {
        await start(member)
        await until(isWhole, 'whole again')
      },
      hasDisks: members.hasDisks,
      fillDisk: async (ms: number) => {
        const full = leaderIn(await until(isWhole, 'whole'))
        const empty = await fill(join(full.folder, 'ballast'))
        await pause(ms)
        await empty()
        await pause(5_000)
        if (full.child?.exitCode !== null) await start(full)
        return { isReplaced: leaderIn(await until(isWhole, 'whole again')) !== full }
      },
      standbyUrls: async () => {
        const leader = leaderIn(await until(hasLeader, 'led'))
        return list.filter((one) => one !== leader).map(({ port }) => urlOf(port))
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
