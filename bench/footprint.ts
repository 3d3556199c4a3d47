import { setTimeout as pause } from 'node:timers/promises'
import { startShop } from '../drill/shopProcess.ts'
import { sized } from '../drill/profile.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import type { BenchRequest, LoadOrder, LoadResult } from './orders.ts'
import { SECRET } from './recordings.ts'
import { type BenchStage, residentMb, startHelper } from './stage.ts'
import { wrapped } from '../src/kit/values/required.ts'
import { medianOf } from './median.ts'

const REQUESTS = sized(30_000, 50)
const IDLE_SECONDS = sized(60, 0)
const REST_SECONDS = sized(30, 0)
const STARTS = sized(5, 1)

export async function measureFootprint(stage: BenchStage) {
  const starts: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const shop = await startProduction(stage)
    starts.push(shop.startedInMs)
    await shop.stop()
  }
  return { ...(await measureMemory(stage)), startMs: medianOf(starts) }
}

async function startProduction({ databaseUrl, dataDir }: BenchStage) {
  const port = await findFreePort()
  const shop = await startShop(port, {
    NODE_ENV: 'production',
    PUBLIC_URL: `http://localhost:${port}`,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET,
    PAYMENTS_SANDBOX: '1',
    LOG_LEVEL: 'warn',
  })
  return { ...shop, port }
}

async function measureMemory(stage: BenchStage) {
  const shop = await startProduction(stage)
  const load = await startHelper<LoadOrder, LoadResult>('load.ts', { isReadyTold: false })
  await pause(IDLE_SECONDS * 1000)
  const idleMb = residentMb(shop.pid)
  const requests = mixOf(stage)
  for (let sent = 0; sent < REQUESTS;)
    sent += (await load.ask({ port: shop.port, connections: 16, seconds: 1, kind: 'requests', requests })).count
  const loadedMb = residentMb(shop.pid)
  await pause(REST_SECONDS * 1000)
  const restedMb = residentMb(shop.pid)
  load.close()
  await shop.stop()
  return { idleMb, loadedMb, restedMb }
}

function mixOf({ members, productIds, searches }: BenchStage): BenchRequest[] {
  return members.flatMap(({ cookie }, i): BenchRequest[] => {
    const productId = wrapped(productIds, i)
    const asMember = (path: string): BenchRequest => ({ line: `GET ${path}`, cookie })
    return [
      ...['/', '/categories', `/product/${productId}`, '/cart', '/orders'].map(asMember),
      ...['/api/auth/user', '/api/cart', '/api/orders', '/api/wishlist', '/api/status'].map(asMember),
      { line: 'POST /api/cart', cookie, body: { productId, quantity: 1 } },
      ...['/', `/product/${productId}`, '/sw.js', '/api/categories', '/api/products?limit=24'].map((path) => ({
        line: `GET ${path}` as const,
      })),
      { line: `GET /api/products/${productId}` },
      { line: `GET /api/products/${productId}/reviews` },
      { line: `GET /api/products?limit=24&q=${encodeURIComponent(wrapped(searches, i))}` },
    ]
  })
}
