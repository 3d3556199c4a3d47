import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { firstOf, only } from '../src/kit/values/required.ts'
import { type ClusterStage, THIS_RELEASE } from './clusterStage.ts'
import { migrateBy } from './formerRelease.ts'
import { lookAtOwnOrders } from './ownOrders.ts'

// Each part breaks something while shoppers and readers are at work, and returns a sentence about it.

export const CLUSTER_PARTS = [
  'restarts',
  'kills',
  'fail-overs',
  'replica behind',
  'lost notifications',
  'node cut off',
  'bucket away',
  'disk full',
  'wrong clocks',
] as const
export type ClusterPart = (typeof CLUSTER_PARTS)[number]
export type BreakCounts = { kills: number; restarts: number; failOvers: number }

export const BREAKS: Record<ClusterPart, (stage: ClusterStage, counts: BreakCounts) => Promise<string>> = {
  restarts: restartNodes,
  kills: killNodes,
  'fail-overs': killPrimaries,
  'replica behind': delayStandbys,
  'lost notifications': loseNotifications,
  'node cut off': cutNodeOff,
  'bucket away': takeBucketAway,
  'disk full': fillDisk,
  'wrong clocks': setClocksWrong,
}

const inSeconds = (list: number[]) => list.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')

async function restartNodes({ nodes, former, database }: ClusterStage, { restarts }: BreakCounts) {
  if (former) migrateBy(THIS_RELEASE, database.url)
  for (let i = 0; i < restarts; i++) {
    // upgrades, rolls back and upgrades again; both releases serve requests meanwhile
    const release = i % 2 === 0 ? null : former
    for (const at of [0, 1]) {
      // waits until nginx uses the last restarted node again (docs/operating/upgrades.md)
      await pause(3_000)
      await nodes.restart(at, { release })
    }
  }
  if (former && restarts % 2 === 0) for (const at of [0, 1]) await nodes.restart(at)
  return former
    ? `${restarts} rolling restarts between release ${former.name} and this one, ${former.missing.length} migrations between them`
    : `${restarts} rolling restarts; SKIPPED: the former release, because there is none whose schema this one follows`
}

async function killNodes({ nodes }: ClusterStage, { kills }: BreakCounts) {
  for (let i = 0; i < kills; i++) {
    // nginx must use the restarted node again before the next kill
    await pause(3_000)
    await nodes.kill(i % 2)
    await nodes.start(i % 2)
  }
  return `${kills} nodes killed`
}

async function killPrimaries({ database: { patroni } }: ClusterStage, { failOvers }: BreakCounts) {
  if (!patroni) return 'SKIPPED: nothing replaces a primary without Patroni, etcd and HAProxy'
  const took: number[] = []
  for (let i = 0; i < failOvers; i++) {
    await pause(3_000)
    const { old, ms } = await patroni.failOver()
    took.push(ms)
    await pause(5_000)
    await patroni.rejoin(old)
  }
  return `${failOvers} primaries killed, another one led after ${inSeconds(took)}`
}

async function delayStandbys({ database, world, products, publicUrl, nodes }: ClusterStage) {
  const standbys = await database.standbyUrls()
  await whileBehind(standbys, 25_000)
  const buyer = only(await world.invite(1))
  const product = { id: firstOf(products), price: '9.99' }
  let lists = 0
  for (const url of standbys) {
    await whileBehind([url], 12_000, async () => {
      const looks = await lookAtOwnOrders({ base: publicUrl, buyer, product }, 12_000)
      lists += looks.lists
      if (looks.missed > 0) nodes.report(`${looks.missed} lists of orders lacked the order just made`)
    })
  }
  if (lists < 5) nodes.report(`only ${lists} lists of orders were read after a write`)
  return `all standbys 10 s behind for 25 s, then one after the other; ${lists} lists read after a write`
}

async function whileBehind(urls: string[], forMs: number, work = async () => {}) {
  const reload = 'SELECT pg_reload_conf()'
  for (const url of urls) await query(url, `ALTER SYSTEM SET recovery_min_apply_delay = '10s'`, reload)
  await Promise.all([work(), pause(forMs)])
  for (const url of urls) await query(url, 'ALTER SYSTEM RESET recovery_min_apply_delay', reload)
  await pause(3_000)
}

async function query(url: string, ...texts: string[]) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}

async function loseNotifications({ nodes, gates, world, products, publicUrl }: ClusterStage) {
  const id = firstOf(products)
  const readProduct = () => askNode(nodes.urlOf(1), `/api/products/${id}`, publicUrl)
  const took: number[] = []
  for (let i = 0; i < 3; i++) {
    await pause(3_000)
    // fills the cache of the node
    await readProduct()
    gates.primary.freeze()
    const title = `A small book, edition ${i}`
    await world.database.pool.query('UPDATE products SET title = $1 WHERE id = $2', [title, id])
    const changedAt = performance.now()
    while (!(await readProduct()).includes(title)) {
      if (performance.now() - changedAt > 20_000) throw new Error('a node never saw a change')
      await pause(50)
    }
    took.push(performance.now() - changedAt)
    gates.primary.open()
  }
  if (Math.max(...took) > 6_000) nodes.report(`a node showed a stale product for ${Math.max(...took)} ms`)
  return `3 changes on silent connections, seen after ${inSeconds(took)}`
}

/** Sends a request directly to a node, with the public host name, as nginx does. */
async function askNode(nodeUrl: string, path: string, publicUrl: string): Promise<string> {
  const asked = get(new URL(path, nodeUrl), { headers: { host: new URL(publicUrl).host } })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return readText(answer)
}

async function cutNodeOff({ gates }: ClusterStage) {
  const all = Object.values(gates).filter((gate) => gate !== null)
  await pause(3_000)
  for (const gate of all) gate.cut()
  await pause(15_000)
  for (const gate of all) gate.open()
  await pause(5_000)
  return 'a node without its database for 15 s'
}

async function takeBucketAway({ s3 }: ClusterStage) {
  await pause(5_000)
  for (const method of ['GET', 'HEAD', 'PUT']) s3.faults.push({ method, path: /./, status: 0, times: Infinity })
  await pause(15_000)
  s3.faults.length = 0
  await pause(5_000)
  return 'the bucket away for 15 s'
}

async function fillDisk({ database: { patroni } }: ClusterStage) {
  if (!patroni?.hasDisks) return 'SKIPPED: this account may not mount a disk to fill'
  await pause(3_000)
  const { isReplaced } = await patroni.fillDisk(20_000)
  await pause(5_000)
  return `the disk of the primary full for 20 s, ${isReplaced ? 'another one led' : 'it went on as the primary'}`
}

async function setClocksWrong({ nodes }: ClusterStage) {
  for (const [at, minutesOff] of [10, -10].entries()) {
    await nodes.restart(at, { minutesOff })
    await pause(3_000)
  }
  await pause(15_000)
  for (const at of [0, 1]) {
    await nodes.restart(at)
    await pause(3_000)
  }
  return 'one clock 10 minutes fast, the other one slow'
}
