import { setTimeout as pause } from 'node:timers/promises'
import { listOrders } from '../src/orders/orders.contract.ts'
import { grantDownload } from '../src/delivery/files/files.contract.ts'
import { send } from '../src/kit/call.ts'
import { createRandom, visit } from './shoppers.ts'
import type { Shopper, World } from './world.ts'

// What clients ask a cluster for while parts of it fail, and what they see.

/** What clients saw: answers by status, and those without an answer as 'none'. */
export type Tally = Record<string, number>

const PATHS = ['/api/products?limit=24', '/api/categories', '/api/cart', '/api/orders', '/api/auth/user', '/']
/** Each reader asks so often. */
const EVERY_MS = 100
/** A shopper rests between two visits, each of about ten requests. */
const REST_MS = 2_000
const DOWNLOAD_EVERY_MS = 500

/** Counts what clients of `publicUrl` see. `end` gives the real fetch back. */
export function countAnswers(publicUrl: string) {
  const realFetch = globalThis.fetch
  let tally: Tally = {}
  const add = (seen: Tally, name: string) => (seen[name] = (seen[name] ?? 0) + 1)
  globalThis.fetch = async (...asked) => {
    // what is asked of a node itself is no client's
    if (!String(asked[0]).startsWith(publicUrl)) return realFetch(...asked)
    const seen = tally
    try {
      const answer = await realFetch(...asked)
      const isPromised = answer.status !== 503 || answer.headers.get('retry-after') !== null
      add(seen, isPromised ? String(answer.status) : '503 without Retry-After')
      return answer
    } catch (error) {
      add(seen, 'none')
      throw error
    }
  }
  return {
    /** Counts anew from now on. */
    begin: () => (tally = {}),
    end: () => void (globalThis.fetch = realFetch),
  }
}

/** Shoppers buy and readers read until `stop`, which waits for all of them. */
export function startLoad(world: World, productIds: string[], shoppers: Shopper[], { readers = 20, seed = 1 } = {}) {
  let isOver = false
  const shopping = shoppers.map(async (shopper, i) => {
    const random = createRandom(seed + i)
    const manners = { random, tries: 20, pauseMs: 500, patienceMs: 15_000 }
    while (!isOver) {
      await visit(shopper, world.url, productIds, manners)
      if (!isOver) await pause(2 * random() * REST_MS)
    }
  })
  const headers = { cookie: shoppers[0]!.cookie }
  const reading = Array.from({ length: readers }, async (_, reader) => {
    for (let i = reader; !isOver; i++) {
      const startedAt = performance.now()
      const signal = AbortSignal.timeout(15_000)
      const busyMs = await fetch(world.url + PATHS[i % PATHS.length]!, { headers, signal }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status === 503 ? Number(answer.headers.get('retry-after') ?? 0) * 1000 : 0
        },
        () => EVERY_MS,
      )
      await pause(Math.max(busyMs, EVERY_MS - (performance.now() - startedAt), 0))
    }
  })
  const downloading = (async () => {
    for (; !isOver; await pause(DOWNLOAD_EVERY_MS)) await download(world.url, headers).catch(() => undefined)
  })()
  return {
    stop: async () => {
      isOver = true
      await Promise.all([...shopping, ...reading, downloading])
    },
  }
}

/** Downloads a file of the newest orders, if one was bought. */
async function download(base: string, headers: { cookie: string }) {
  const orders = await send(listOrders, { limit: 3 }, { base, headers })
  for (const { id, lines } of orders) {
    for (const line of lines) {
      const granted = await send(grantDownload, { id, lineId: line.id }, { base, headers }).catch(() => null)
      if (granted) return (await fetch(new URL(granted.url, base), { headers })).arrayBuffer()
    }
  }
}
