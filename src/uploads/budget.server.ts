import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'

const MAX_BYTES_A_DAY = 1024 * 1024 * 1024
const MOST_AT_ONCE = 3

/** Refuses (429) whoever would have stored more than a gigabyte within a day. */
export async function refuseGreed(db: Db, userId: string, bytesToCome = 0) {
  const { total } = await db
    .selectFrom('objects')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('total'))
    .where('userId', '=', userId)
    .where('storedAt', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  if (total + bytesToCome > MAX_BYTES_A_DAY)
    throw new Failure(429, 'You have uploaded 1 GB within a day. Please try again tomorrow.', 'too_many', {
      retryAfter: 3600,
    })
}

export type Turnstile = ReturnType<typeof createTurnstile>

/** Runs `work` unless three of the same account's are running on this node already (429). */
export function createTurnstile() {
  const counts = new Map<string, number>()
  return async function whileCounted<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const count = counts.get(userId) ?? 0
    if (count >= MOST_AT_ONCE)
      throw new Failure(429, 'At most three uploads at once. Please wait for one to finish.', 'too_many', {
        retryAfter: 5,
      })
    counts.set(userId, count + 1)
    try {
      return await work()
    } finally {
      const left = counts.get(userId)! - 1
      if (left === 0) counts.delete(userId)
      else counts.set(userId, left)
    }
  }
}
