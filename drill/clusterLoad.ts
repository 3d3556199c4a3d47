import { setTimeout as pause } from 'node:timers/promises'
import { listOrders } from '../src/purchases/orders.contract.ts'
import { grantDownload } from '../src/delivery/files/files.contract.ts'
import { send } from '../src/kit/call.ts'
import { createRandom, visit } from './shoppers.ts'
import type { Shopper, World } from './world.ts'
import { firstOf, wrapped } from '../src/kit/values/required.ts'

/** `answers` counts answers by status, and requests without an answer as 'none'. `checkouts` counts buying requests. */
export type Tally = { answers: Record<string, number>; checkouts: number }

export const countOf = ({ answers }: Tally) => Object.values(answers).reduce((sum, count) => sum + count, 0)
/** Returns the 5xx answers, except a 503 with Retry-After. */
export const wrongOf = ({ answers }: Tally) =>
  Object.entries(answers).filter(([status]) => /^5/.test(status) && status !== '503')
export const busyShare = (tally: Tally) => (tally.answers['503'] ?? 0) / countOf(tally)
export const checkoutShare = (tally: Tally) => tally.checkouts / countOf(tally)

export const CHECKOUT_SHARE = 0.1
const CHECKOUT = /^POST \/(order(\/|$)|api\/cart$|api\/orders$|sandbox\/)/

const PATHS = ['/api/products?limit=24', '/api/categories', '/api/cart', '/api/orders', '/api/auth/user', '/']
/** Average requests of one visit: those that count as checkouts, and other reads. */
const VISIT = { checkouts: 6, reads: 1.6 }
const DOWNLOAD_EVERY_MS = 500
const READS_OF_DOWNLOADS = 6
/** A client that is later than this skips the requests that it missed. */
const MAX_LATE_MS = 1_000

/** Counts the answers that clients of `publicUrl` receive. `end` restores the real fetch. */
export function countAnswers(publicUrl: string) {
  const realFetch = globalThis.fetch
  const none = (): Tally => ({ answers: {}, checkouts: 0 })
  let tally = none()
  const add = ({ answers }: Tally, name: string) => (answers[name] = (answers[name] ?? 0) + 1)
  globalThis.fetch = async (...asked) => {
    if (!String(asked[0]).startsWith(publicUrl)) return realFetch(...asked)
    const seen = tally
    if (CHECKOUT.test(`${asked[1]?.method} ${new URL(String(asked[0])).pathname}`)) seen.checkouts++
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
    begin: () => (tally = none()),
    end: () => void (globalThis.fetch = realFetch),
  }
}

/** Paces `count` clients so that together they start `perSecond` turns a second. `over` ends every wait. */
function paceOf(perSecond: number, count: number, over: AbortSignal) {
  const everyMs = (1000 * count) / perSecond
  return (at: number) => {
    let due = performance.now() + (everyMs * at) / count
    return async (atLeastMs = 0) => {
      const waitMs = Math.max(due - performance.now(), atLeastMs, -MAX_LATE_MS)
      due = performance.now() + waitMs + everyMs
      if (waitMs > 0) await pause(waitMs, undefined, { signal: over }).catch(() => undefined)
    }
  }
}

type Load = {
  readers: number
  perSecond: number
  seed?: number
}

export function startLoad(
  world: World,
  productIds: string[],
  shoppers: Shopper[],
  { readers, perSecond, seed = 1 }: Load,
) {
  const over = new AbortController()
  const visits = (perSecond * CHECKOUT_SHARE) / VISIT.checkouts
  const reads = perSecond * (1 - CHECKOUT_SHARE) - visits * VISIT.reads - READS_OF_DOWNLOADS
  const paceOfVisits = paceOf(visits, shoppers.length, over.signal)
  const shopping = shoppers.map(async (shopper, i) => {
    const random = createRandom(seed + i)
    const manners = { random, tries: 20, pauseMs: 500, patienceMs: 15_000 }
    for (const untilDue = paceOfVisits(i); !over.signal.aborted;) {
      await untilDue()
      if (!over.signal.aborted) await visit(shopper, world.url, productIds, manners)
    }
  })
  const headers = { cookie: firstOf(shoppers).cookie }
  const paceOfReads = paceOf(reads, readers, over.signal)
  const reading = Array.from({ length: readers }, async (_, reader) => {
    const untilDue = paceOfReads(reader)
    for (let i = reader; !over.signal.aborted; i++) {
      const signal = AbortSignal.timeout(15_000)
      const busyMs = await fetch(world.url + wrapped(PATHS, i), { headers, signal }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status === 503 ? Number(answer.headers.get('retry-after') ?? 0) * 1000 : 0
        },
        () => 100,
      )
      await untilDue(busyMs)
    }
  })
  const downloading = (async () => {
    for (; !over.signal.aborted; await pause(DOWNLOAD_EVERY_MS))
      await download(world.url, headers).catch(() => undefined)
  })()
  return {
    stop: async () => {
      over.abort()
      await Promise.all([...shopping, ...reading, downloading])
    },
  }
}

async function download(base: string, headers: { cookie: string }) {
  const orders = await send(listOrders, { limit: 3 }, { base, headers })
  for (const { id, lines } of orders) {
    for (const line of lines) {
      const granted = await send(grantDownload, { id, lineId: line.id }, { base, headers }).catch(() => null)
      if (granted) return (await fetch(new URL(granted.url, base), { headers })).arrayBuffer()
    }
  }
}
