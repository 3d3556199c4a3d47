import type pg from 'pg'
import type { Bus } from '../../kit/bus.server.ts'
import { handleRaw } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { getRealtimeProducts, MAX_TOLD, TOLD_MINUTES } from './realtime.contract.ts'
import { readChanges } from './realtime.statements.server.ts'

// Thousands of open pages poll every ten seconds. They share one cached response, rebuilt at most twice a second.

const FRESH_MS = 500
// for a hundred open pages on one network
const limits: Limit[] = [{ per: 'address', count: 600, seconds: 60 }]

type FeedState = { json: string; etag: string; at: number }

/** `now` returns monotonic milliseconds. */
export async function realtimeRoutes(bus: Bus, pool: pg.Pool, now = () => performance.now()) {
  let told: FeedState | undefined
  let isOld = true
  let underWay: Promise<FeedState> | undefined
  await bus.listen('catalogue', () => (isOld = true))

  async function read(): Promise<FeedState> {
    isOld = false
    try {
      const [row] = await readChanges(pool, { minutes: TOLD_MINUTES, most: MAX_TOLD })
      told = { json: row!.json, etag: `"rt-${row!.version}"`, at: now() }
      return told
    } catch (error) {
      isOld = true
      throw error
    }
  }

  /** Returns the cached response until a change. Without database notifications, reads it every time. */
  function tell(): FeedState | Promise<FeedState> {
    const isFresh = told !== undefined && now() - told.at < FRESH_MS
    if (told && (isFresh || (!isOld && bus.isUp()))) return told
    underWay ??= read().finally(() => (underWay = undefined))
    return underWay
  }

  return [
    handleRaw(getRealtimeProducts.line, { ...getRealtimeProducts, limits, knowsCaller: false }, async ({ header }) => {
      const { json, etag } = await tell()
      const headers = { etag, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' }
      return header('if-none-match') === etag ? { status: 304, headers } : { status: 200, headers, body: json }
    }),
  ]
}
