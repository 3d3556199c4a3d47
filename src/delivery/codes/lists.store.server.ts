import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { only } from '../../kit/values/required.ts'
import { addListed, readListed } from './codes.statements.server.ts'

// Daily limits for listing codes. The result shows which codes exist, so it must not help to guess codes of others.

/** Codes of other sellers in a list: a few may be mistakes. */
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
  const { lines, ofOthers, free } = only(await readListed(db, { sellerId, maxFree: MAX_FREE }))
  if (ofOthers > MAX_OF_OTHERS) throw OF_OTHERS
  if (lines >= MAX_LINES) throw ENOUGH
  if (free >= MAX_FREE) throw FULL
}

export async function noteLines(db: Db, sellerId: string, lines: number, ofOthers: number) {
  const listed = only(await addListed(db, { sellerId, lines, ofOthers }))
  if (ofOthers === 0 || listed.ofOthers <= MAX_OF_OTHERS) return
  log.warn('a seller listed codes of other sellers', { account: sellerId, count: listed.ofOthers })
  throw OF_OTHERS
}

export const forgetListsOf = (tx: Tx, userId: string) =>
  tx.deleteFrom('codeLists').where('userId', '=', userId).execute()
