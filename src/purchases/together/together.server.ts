import { sql } from 'kysely'
import { noteBuyers } from '../../catalogue/popular.store.server.ts'
import { IS_SALE, LISTED_FIELDS } from '../../catalogue/product.sql.server.ts'
import { pageOf } from '../../catalogue/variants/variants.sql.server.ts'
import { type Db, inTransaction, statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handleCached } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { FEWEST_BUYERS, listTogether, MAX_TOGETHER } from './together.contract.ts'

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
      const [found] = await readTogether(pool, id)
      return found!.is_listed ? asJson(found!.json) : null
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
  await savePairs(db, await readPairs(db))
  const { rows } = await sql<{ productId: string; buyers: number }>`
    SELECT ${sql.raw(pageOf('p'))} AS "productId", count(DISTINCT e.user_id)::int AS buyers
    FROM entitlements e JOIN products p ON p.id = e.product_id AND p.seller_id <> e.user_id
    WHERE ${sql.raw(IS_SALE)} AND e.created_at > now() - ${RECENT_DAYS} * interval '1 day' GROUP BY 1`.execute(db)
  await noteBuyers(db, rows)
}

type Pair = { productId: string; otherId: string; buyers: number }

async function readPairs(db: Db): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    WITH recent AS MATERIALIZED (
      SELECT id, user_id FROM orders WHERE status = 'completed' ORDER BY created_at DESC, id DESC LIMIT ${MAX_ORDERS}),
    lines AS MATERIALIZED (
      SELECT o.id, o.user_id, ${sql.raw(pageOf('p'))} AS product_id, count(*) OVER (PARTITION BY o.id) AS lines
      FROM recent o JOIN order_lines l ON l.order_id = o.id AND l.seller_id <> o.user_id JOIN products p ON p.id = l.product_id),
    pairs AS (
      SELECT a.product_id, b.product_id AS other_id, count(DISTINCT a.user_id) AS buyers
      FROM lines a JOIN lines b ON b.id = a.id AND b.product_id <> a.product_id
      WHERE a.lines <= ${MAX_LINES} GROUP BY 1, 2 HAVING count(DISTINCT a.user_id) >= ${FEWEST_BUYERS})
    SELECT product_id AS "productId", other_id AS "otherId", buyers::int FROM (
      SELECT *, row_number() OVER (PARTITION BY product_id ORDER BY buyers DESC, other_id) AS place FROM pairs) ranked
    WHERE place <= ${KEPT} ORDER BY product_id`.execute(db)
  return rows
}

/** Products whose pairs one transaction replaces. */
const AT_ONCE = 500

async function savePairs(db: Db, pairs: Pair[]) {
  const byProduct = [...Map.groupBy(pairs, ({ productId }) => productId)]
  for (let at = 0; at < byProduct.length; at += AT_ONCE) {
    const some = byProduct.slice(at, at + AT_ONCE)
    await inTransaction(db, async (tx) => {
      await tx
        .deleteFrom('productPairs')
        .where(
          'productId',
          'in',
          some.map(([id]) => id),
        )
        .execute()
      // a product may be deleted since the count
      await sql`INSERT INTO product_pairs (product_id, other_id, buyers)
        SELECT n."productId", n."otherId", n.buyers
        FROM json_to_recordset(${JSON.stringify(some.flatMap(([, own]) => own))}::json) AS n ("productId" uuid, "otherId" uuid, buyers int)
        JOIN products p ON p.id = n."productId" JOIN products o ON o.id = n."otherId"`.execute(tx)
    })
  }
  const ids = JSON.stringify(byProduct.map(([id]) => id))
  await sql`DELETE FROM product_pairs WHERE product_id NOT IN (SELECT value::uuid FROM json_array_elements_text(${ids}::json))`.execute(
    db,
  )
}

const readTogether = statement<{ json: string; is_listed: boolean }, [productId: string]>(
  'products_together',
  `SELECT EXISTS (SELECT FROM products WHERE id = $1 AND is_listed) AS is_listed,
    coalesce(json_agg(json_build_object(${LISTED_FIELDS}) ORDER BY t.buyers DESC, p.id), '[]')::text AS json
  FROM (SELECT k.other_id AS id, k.buyers FROM product_pairs k JOIN products o ON o.id = k.other_id
    WHERE k.product_id = $1 AND o.is_listed ORDER BY k.buyers DESC, k.other_id LIMIT ${MAX_TOGETHER}) t
  JOIN products p ON p.id = t.id`,
)
