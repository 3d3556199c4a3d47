import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { only } from '../../kit/values/required.ts'

// What a member may list on a day. A list says which codes the shop has, so it must not serve to guess those of other sellers.

/** Codes of other sellers: a few may be mistakes. */
export const MAX_OF_OTHERS = 5
const MAX_LINES = 1_000_000
const MAX_FREE = 1_000_000

const OF_OTHERS = new Failure(
  403,
  'Several of these codes belong to other sellers, so this list is refused. Ask support if they are yours.',
  'codes_of_others',
)
const ENOUGH = new Failure(429, 'You have listed enough for today. Go on tomorrow.', 'too_many_lines', {
  retryAfter: 3600,
})
const FULL = new Failure(409, `You can have ${MAX_FREE.toLocaleString('en')} codes for sale at most.`, 'too_many')

export async function refuseList(db: Db, sellerId: string) {
  const { rows } = await sql<{ lines: number; ofOthers: number; free: number }>`
    SELECT coalesce(l.lines, 0) AS lines, coalesce(l.of_others, 0) AS of_others,
      (SELECT count(*)::int FROM (SELECT FROM products p JOIN codes c ON c.product_id = p.id AND c.state = 'free'
        WHERE p.seller_id = ${sellerId}::uuid LIMIT ${MAX_FREE}) free) AS free
    FROM (SELECT) one LEFT JOIN code_lists l ON l.user_id = ${sellerId}::uuid AND l.day = utc_day(now())`.execute(db)
  const { lines, ofOthers, free } = only(rows)
  if (ofOthers > MAX_OF_OTHERS) throw OF_OTHERS
  if (lines >= MAX_LINES) throw ENOUGH
  if (free >= MAX_FREE) throw FULL
}

export async function noteLines(db: Db, sellerId: string, lines: number, ofOthers: number) {
  const { rows } = await sql<{ ofOthers: number }>`
    INSERT INTO code_lists AS l (user_id, day, lines, of_others) VALUES (${sellerId}::uuid, utc_day(now()), ${lines}, ${ofOthers})
    ON CONFLICT (user_id, day) DO UPDATE SET lines = l.lines + excluded.lines, of_others = l.of_others + excluded.of_others
    RETURNING of_others`.execute(db)
  if (ofOthers === 0 || only(rows).ofOthers <= MAX_OF_OTHERS) return
  log.warn('a seller listed codes of other sellers', { account: sellerId, count: only(rows).ofOthers })
  throw OF_OTHERS
}

export const forgetListsOf = (tx: Tx, userId: string) =>
  tx.deleteFrom('codeLists').where('userId', '=', userId).execute()
