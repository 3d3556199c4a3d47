import { sql } from 'kysely'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'

/** A checkout waits for the products of a batch: about 0.1 s. */
const AT_ONCE = 50
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Rewrites the search texts of an earlier release. Skips products that a checkout has locked; the next run indexes them. */
export async function indexProducts(db: Db): Promise<void> {
  let last: string | undefined = NO_ID
  while (last) last = await indexSome(db, last)
}

/** Indexes a batch of products with ids after `last`. Returns the last id, or undefined if no product was left. */
const indexSome = (db: Db, last: string): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    await sql`SET LOCAL primo.is_indexing = 'on'`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      UPDATE products SET category_id = category_id WHERE id IN (
        SELECT id FROM products WHERE search_version = 1 AND id > ${last}::uuid
        ORDER BY id LIMIT ${AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id`.execute(tx)
    return rows
      .map(({ id }) => id)
      .sort()
      .at(-1)
  })

export const indexJobs = (db: Db): Job[] => [
  { name: 'index_products', pool: 'other', cron: '* * * * *', run: () => indexProducts(db) },
]
