import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3StandIn, startS3 } from '../sandbox/s3/server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { required } from '../src/kit/values/required.ts'
import { type ClusterDatabase, openClusterDatabase } from './clusterDatabase.ts'
import { type ClusterNodes, createClusterNodes } from './clusterNodes.ts'
import { type FormerRelease, migrateBy, openFormerRelease } from './formerRelease.ts'
import { openGate } from './gate.ts'
import { openMailServer } from './letters.ts'
import { hasPgbouncer, openPgbouncer } from './pgbouncer.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { missingForNginx, openNginx, openTurns } from './proxies.ts'
import { openWorld, type Shopper, type World } from './world.ts'

// Opens the servers, the two nodes, the products and the shoppers of the cluster drill.

export const THIS_RELEASE = join(import.meta.dirname, '..')

const CODES = 2_000
const BOOKS = 100

type Gate = Awaited<ReturnType<typeof openGate>>
/** The second node reaches each database through a gate. `pooler` is null without PgBouncer. */
type Gates = { primary: Gate; standby: Gate; pooler: Gate | null }
/** `close` runs these steps in reverse order. */
export type Closing = (() => unknown)[]
type Servers = Awaited<ReturnType<typeof openServers>>

export type ClusterStage = {
  database: ClusterDatabase
  former: FormerRelease | null
  s3: S3StandIn
  mails: string[]
  publicUrl: string
  world: World
  products: string[]
  shoppers: Shopper[]
  gates: Gates
  nodes: ClusterNodes
}

export async function openClusterStage(
  { shoppers: count, hasFormer }: { shoppers: number; hasFormer: boolean },
  closing: Closing,
): Promise<ClusterStage> {
  const { former, ...servers } = await openServers(hasFormer, closing)
  const { database, s3, post, publicUrl } = servers
  const world = await openWorld(database.url, settingsOf(servers), DRILL_PROVIDERS.paypal, publicUrl)
  closing.push(world.close)
  world.database.pool.on('error', () => undefined)
  const products = await offerProducts(world)
  const shoppers = await world.invite(count, { wallets: 0.3 })
  const gates = await openGates(servers, closing)
  const nodes = createClusterNodes(world, [
    { port: servers.ports[0], settings: {} },
    { port: servers.ports[1], settings: gatedSettings(servers, gates) },
  ])
  await Promise.all([nodes.start(0, { release: former }), nodes.start(1, { release: former })])
  return { database, former, s3, mails: post.names, publicUrl, world, products, shoppers, gates, nodes }
}

async function openServers(hasFormer: boolean, closing: Closing) {
  const database = await openClusterDatabase('cluster')
  closing.push(database.stop)
  const former = hasFormer ? openFormerRelease('built') : null
  if (former) closing.push(former.remove)
  migrateBy(former?.root ?? THIS_RELEASE, database.url)
  const pooler = hasPgbouncer ? await openPgbouncer(database.url, { size: 30 }) : null
  if (pooler) closing.push(pooler.stop)
  const folder = mkdtempSync(join(tmpdir(), 'primo-drill-s3-'))
  const s3 = await startS3({ folder })
  closing.push(async () => {
    await s3.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const post = await openMailServer()
  closing.push(post.close)
  const ports: [number, number] = [await findFreePort(), await findFreePort()]
  const hasNginx = missingForNginx().length === 0
  const proxy = await (hasNginx ? openNginx(ports) : openTurns(ports))
  closing.push(proxy.stop)
  const publicUrl = `${hasNginx ? 'https' : 'http'}://localhost:${proxy.port}`
  return { database, former, pooler, s3, post, ports, publicUrl }
}

const settingsOf = ({ database, pooler, s3, post, publicUrl }: Omit<Servers, 'former'>) => ({
  ...{ PUBLIC_URL: publicUrl, TRUST_PROXY: '1', PAYMENTS_SANDBOX: '1', SMTP_URL: post.url },
  ...(pooler && { POOLER_DATABASE_URL: pooler.url }),
  READ_DATABASE_URL: database.replicaUrl,
  ...{ S3_ENDPOINT: s3.endpoint, S3_REGION: s3.region, S3_BUCKET: s3.bucket, S3_KEY: s3.key },
  ...{ S3_SECRET: s3.secret, S3_FORCE_PATH_STYLE: '1', S3_DOWNLOADS: 'stream' },
})

/** Returns many books, because few shoppers buy the same one twice. A card with codes takes a third of the list. */
async function offerProducts(world: World): Promise<string[]> {
  const books: string[] = []
  for (let n = 0; n < BOOKS; n++) books.push(await world.offer({ priceCents: n % 2 === 0 ? 999 : 1250 }))
  const card = await world.offer({ priceCents: 2500, codes: CODES })
  return [...books, ...Array.from({ length: BOOKS / 2 }, () => card)]
}

type Databases = Pick<Servers, 'database' | 'pooler'>

async function openGates({ database, pooler }: Databases, closing: Closing): Promise<Gates> {
  const gateTo = async (url: string) => {
    const gate = await openGate(Number(new URL(url).port))
    closing.push(gate.close)
    return gate
  }
  return {
    primary: await gateTo(database.url),
    standby: await gateTo(database.replicaUrl),
    pooler: pooler && (await gateTo(pooler.url)),
  }
}

function gatedSettings({ database, pooler }: Databases, gates: Gates) {
  const through = (url: string, { port }: Gate) => Object.assign(new URL(url), { port: String(port) }).href
  return {
    DATABASE_URL: through(database.url, gates.primary),
    ...(pooler && { POOLER_DATABASE_URL: through(pooler.url, required(gates.pooler, 'the gate to the pooler')) }),
    READ_DATABASE_URL: through(database.replicaUrl, gates.standby),
  }
}
