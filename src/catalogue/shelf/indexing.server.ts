import { sql } from 'kysely'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'

/** A checkout waits for the products of a batch: about 0.1 s. */
const AT_ONCE = 50

/** Writes the search texts that an earlier release wrote otherwise. Skips products that a checkout holds; the next run takes them. */
export async function indexProducts(db: Db): Promise<void> {
  while ((await indexSome(db)) > 0);
}

const indexSome = (db: Db) =>
  inTransaction(db, async (tx) => {
    await sql`SET LOCAL primo.is_indexing = 'on'`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      UPDATE products SET category_id = category_id WHERE id IN (
        SELECT id FROM products WHERE search_version = 1 ORDER BY id LIMIT ${AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id`.execute(tx)
    return rows.length
  })

export const indexJobs = (db: Db): Job[] => [
  { name: 'index_products', pool: 'other', cron: '* * * * *', run: () => indexProducts(db) },
]
