import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'

const MAX_BYTES_A_DAY = 1024 * 1024 * 1024
const MOST_AT_ONCE = 3

/** Throws a Failure 429 when the account would exceed one gigabyte a day. */
export async function checkDailyQuota(db: Db, userId: string, bytesToCome = 0) {
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

export type UploadGate = ReturnType<typeof createUploadGate>

/** Limits each account to three concurrent uploads on this node (429). */
export function createUploadGate() {
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
