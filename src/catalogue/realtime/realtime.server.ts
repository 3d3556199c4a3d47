import type pg from 'pg'
import type { Bus } from '../../kit/bus.server.ts'
import { statement } from '../../kit/database.server.ts'
import { handleRaw } from '../../kit/handle.server.ts'
import { decimalOf } from '../../kit/sql/json.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { getRealtimeProducts, MAX_TOLD, TOLD_MINUTES } from './realtime.contract.ts'

// Thousands of open pages poll every ten seconds. They share one cached answer, rebuilt after a change at most once in
// half a second.

const FRESH_MS = 500
// a hundred open pages of one network
const limits: Limit[] = [{ per: 'address', count: 600, seconds: 60 }]

const readChanges = statement<{ json: string; version: string }, []>(
  'realtime_products',
  `WITH lately AS (
    SELECT p.* FROM products p WHERE p.updated_at > now() - interval '${TOLD_MINUTES} minutes' AND p.variant_of IS NULL
    ORDER BY p.updated_at DESC, p.id LIMIT ${MAX_TOLD}),
  news AS (SELECT
    (SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title,
        'price', ${decimalOf('p.price_cents')},
        'suggested', ${decimalOf('p.suggested_cents')})), '[]')
      FROM lately p WHERE p.is_listed) AS changed,
    (SELECT coalesce(json_agg(p.id), '[]') FROM lately p WHERE NOT p.is_listed) AS removed),
  -- what is told counts too: a change may be committed after one that was made later
  versioned AS (SELECT changed, removed, (SELECT coalesce((extract(epoch FROM max(updated_at)) * 1000000)::bigint, 0)
    FROM products) || '-' || left(md5(changed::text || removed::text), 8) AS version FROM news)
  SELECT version, json_build_object('version', version, 'changed', changed, 'removed', removed)::text AS json FROM versioned`,
)

type FeedState = { json: string; etag: string; at: number }

/** `now` is in milliseconds and monotonic. */
export async function realtimeRoutes(bus: Bus, pool: pg.Pool, now = () => performance.now()) {
  let told: FeedState | undefined
  let isOld = true
  let underWay: Promise<FeedState> | undefined
  await bus.listen('catalogue', () => (isOld = true))

  async function read(): Promise<FeedState> {
    isOld = false
    try {
      const [row] = await readChanges(pool)
      told = { json: row!.json, etag: `"rt-${row!.version}"`, at: now() }
      return told
    } catch (error) {
      isOld = true
      throw error
    }
  }

  /** The cached answer while nothing has changed. Without notifications from the database, reads it every time. */
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
