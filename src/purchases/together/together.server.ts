import { noteBuyers } from '../../catalogue/popular.store.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handleCached } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { only } from '../../kit/values/required.ts'
import { MIN_BUYERS, listTogether, MAX_TOGETHER } from './together.contract.ts'
import {
  countRecentBuyers,
  deleteOtherPairs,
  deletePairs,
  insertPairs,
  readPairs,
  type ReadPairsRow,
  readTogether,
} from './together.statements.server.ts'

// What members bought with a product. Sellers who order their own goods count for nothing.

/** Orders that the job reads, the newest first. */
const MAX_ORDERS = 100_000
/** Larger orders say little about what belongs together. */
const MAX_LINES = 20
/** Kept of each product, because some may be off sale when they are shown. */
const KEPT = 8
const RECENT_DAYS = 90

export const togetherRoutes = [
  handleCached(listTogether, {
    channels: ['catalogue', 'reviews'],
    limits: [{ per: 'address', count: 120, seconds: 60 }],
    load: async ({ id }, { pool }) => {
      const { isListed, json } = only(await readTogether(pool, { id, limit: MAX_TOGETHER }))
      return isListed ? asJson(json) : null
    },
    otherwise: () => {
      throw new Failure(404, 'Product not found')
    },
  }),
]

export const togetherJobs = (db: Db): Job[] => [
  { name: 'count_buyers', pool: 'other', cron: '11 4 * * *', run: () => countBuyers(db) },
]

/**
 * Counts which products members bought in one order, and how many buyers each product had lately. Counting locks nothing;
 * what changed is written in parts, so that no transaction is long.
 */
export async function countBuyers(db: Db) {
  const limits = { maxOrders: MAX_ORDERS, maxLines: MAX_LINES, minBuyers: MIN_BUYERS, kept: KEPT }
  await savePairs(db, await readPairs(db, limits))
  await noteBuyers(db, await countRecentBuyers(db, { days: RECENT_DAYS }))
}

/** Products whose pairs one transaction replaces. */
const AT_ONCE = 500

async function savePairs(db: Db, pairs: ReadPairsRow[]) {
  const byProduct = [...Map.groupBy(pairs, ({ productId }) => productId)]
  for (let at = 0; at < byProduct.length; at += AT_ONCE) {
    const some = byProduct.slice(at, at + AT_ONCE)
    await inTransaction(db, async (tx) => {
      await deletePairs(tx, { ids: some.map(([id]) => id) })
      await insertPairs(tx, { pairs: JSON.stringify(some.flatMap(([, own]) => own)) })
    })
  }
  await deleteOtherPairs(db, { ids: byProduct.map(([id]) => id) })
}
