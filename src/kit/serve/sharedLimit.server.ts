import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type Db, now } from '../database.server.ts'
import type { Job } from '../jobs.server.ts'
import type { Limit } from './limit.server.ts'
import * as statements from './limit.statements.server.ts'
import { dropOldest } from '../values/dropOldest.ts'

// Rate limits that all nodes share. Each key has one row with the time at which its budget is full again (GCRA, a leaky
// bucket by virtual scheduling). Spending runs one statement, a rejection two.

// caches a rejection on this node, because a rejected caller may retry at once
const REMEMBERED_MS = 1000
const MAX_REMEMBERED = 10_000

export type SharedLimiter = ReturnType<typeof createSharedLimiter>

export function createSharedLimiter(pool: pg.Pool, { scale = 1, clock = () => performance.now() } = {}) {
  const refused = new Map<string, { until: number; seconds: number }>()
  const sizes = ({ count, seconds }: Limit) => ({ sizeMs: seconds * 1000, stepMs: (seconds * 1000) / (count * scale) })

  function remember(key: string, seconds: number) {
    if (refused.size >= MAX_REMEMBERED) dropOldest(refused)
    refused.set(key, { until: clock() + Math.min(REMEMBERED_MS, seconds * 1000), seconds })
  }

  /** Takes one token. Returns 0, or the seconds to wait. `forget` resets all keys of `account`. */
  async function take(name: string, limit: Limit, account?: string): Promise<number> {
    if (scale === 0) return 0
    const key = hashOf(name)
    const known = refused.get(key)
    if (known && known.until > clock()) return known.seconds
    refused.delete(key)
    const { stepMs, sizeMs } = sizes(limit)
    const [taken] = await statements.spend(pool, {
      key,
      account: account === undefined ? null : hashOf(account),
      stepMs,
      sizeMs,
    })
    if (taken) return 0
    const [row] = await statements.readWait(pool, { key, stepMs, sizeMs })
    const seconds = Math.max(1, row?.seconds ?? 1)
    remember(key, seconds)
    return seconds
  }

  async function giveBack(name: string, limit: Limit) {
    if (scale === 0) return
    refused.delete(hashOf(name))
    await statements.giveBack(pool, { key: hashOf(name), stepMs: sizes(limit).stepMs })
  }

  /** Resets all budgets of an account, after a stronger proof of identity. */
  async function forget(account: string) {
    refused.clear()
    await statements.forgetAccount(pool, { account: hashOf(account) })
  }

  return { take, giveBack, forget }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

export const limitJobs = (db: Db): Job[] => [
  {
    name: 'sweep_limits',
    pool: 'other',
    cron: '*/10 * * * *',
    run: async () => {
      await db.deleteFrom('sharedLimits').where('fullAt', '<', now).execute()
    },
  },
]
