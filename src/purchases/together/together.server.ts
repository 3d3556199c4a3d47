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

// Counts products that members bought together. Orders of sellers for their own goods do not count.

/** The job reads only the newest orders. */
const MAX_ORDERS = 100_000
/** The job skips larger orders, because their products have little in common. */
const MAX_LINES = 20
/** Pairs stored for each product. Some of these products may be off sale later. */
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
 * Counts which products members bought in one order, and the recent buyers of each product. Counting takes no locks.
 * Batches of changes make the transactions short.
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
