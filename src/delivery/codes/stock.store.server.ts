import { type RawBuilder, sql } from 'kysely'
import { IS_FREE_CODE } from '../../catalogue/product.sql.server.ts'
import { setOutOfStock } from '../../catalogue/offSale.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { addJob, type Job } from '../../kit/jobs.server.ts'
import { CODE_STATES, type CodeState, type CodeStock } from './stock.contract.ts'
import { firstOf, lastOf } from '../../kit/values/required.ts'

// The stock of a product: what its seller sees of it, and whether shoppers see the product. The product's row is written only
// when the stock is used up or there is some again, because each write evicts the catalogue on every node.

const PAGE = 50
export const USUAL_LOW = 5

export async function findStocked(db: Db | Tx, sellerId: string, productId: string) {
  const product = await db
    .selectFrom('products')
    .select(['id', 'delivery', 'hasVariants'])
    .where('id', '=', productId)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!product) throw new Failure(404, 'Product not found')
  return product
}

const isMarked = (marks: Buffer[], column: 'ciphertext' | 'sealed_parts') =>
  sql`(substring(${sql.ref(column)} FROM 1 FOR ${firstOf(marks).length}) = ANY (${marks}::bytea[]))`

type SealedCode = { ciphertext: Buffer; sealedParts: Buffer | null }

/** Codes as they are stored: the one that was added last, and one that begins with none of these marks. */
export async function findSamples(db: Db, marks: Buffer[]): Promise<SealedCode[]> {
  const { rows } = await sql<SealedCode>`
    (SELECT ciphertext, sealed_parts AS "sealedParts" FROM codes ORDER BY position DESC LIMIT 1) UNION ALL
    (SELECT ciphertext, sealed_parts FROM codes
      WHERE NOT ${isMarked(marks, 'ciphertext')} OR NOT ${isMarked(marks, 'sealed_parts')} LIMIT 1)`.execute(db)
  return rows
}

type StockQuery = { productId: string; state: CodeState | undefined; after: number | undefined; marks: Buffer[] }

export async function readStock(db: Db, { productId, state, after, marks }: StockQuery) {
  const { rows: counted } = await sql<{ state: CodeState; count: number }>`
    SELECT ${STATE} AS state, count(*)::int AS count FROM codes WHERE product_id = ${productId}::uuid GROUP BY 1`.execute(
    db,
  )
  const { rows: unseen } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM codes WHERE product_id = ${productId}::uuid AND ${canReturn(marks)}`.execute(db)
  const counts = Object.fromEntries(CODE_STATES.map((one) => [one, 0])) as CodeStock['counts']
  for (const row of counted) counts[row.state] = row.count
  const { rows } = await sql<{
    id: string
    position: number
    state: CodeState
    ciphertext: Buffer
    sealedParts: Buffer | null
    createdAt: Date
    expiresAt: Date | null
    canReturn: boolean
  }>`
    SELECT id, position, ${STATE} AS state, ${canReturn(marks)} AS "canReturn", ciphertext, sealed_parts, created_at, expires_at FROM codes
    WHERE product_id = ${productId}::uuid AND (${after ?? null}::bigint IS NULL OR position < ${after ?? null}::bigint)
      AND (${state ?? null}::text IS NULL OR ${STATE} = ${state ?? null}::text)
    ORDER BY position DESC LIMIT ${PAGE + 1}`.execute(db)
  const page = rows.slice(0, PAGE)
  return {
    counts,
    returnable: firstOf(unseen).count,
    codes: page,
    next: rows.length > PAGE ? lastOf(page).position : null,
  }
}

/** A code whose day is over counts as expired before the job has noted it. */
const STATE = sql.raw(`CASE WHEN state = 'free' AND expires_at <= now() THEN 'expired' ELSE state END`)

export const readLow = async (db: Db, productId: string): Promise<number> =>
  (await db.selectFrom('stockLimits').select('lowAt').where('productId', '=', productId).executeTakeFirst())?.lowAt ??
  USUAL_LOW

export async function saveLow(db: Db, productId: string, lowAt: number) {
  await db
    .insertInto('stockLimits')
    .values({ productId, lowAt })
    .onConflict((conflict) => conflict.column('productId').doUpdateSet({ lowAt }))
    .execute()
}

const AT_ONCE = 5000

const endFree = (db: Db, state: 'void' | 'expired', which: RawBuilder<unknown>) =>
  changeSome(db, sql`state = ${state}`, sql`state = 'free' AND ${which}`)

/** Changes codes in batches. Each batch is a transaction that also updates the stock of the products. Returns the count. */
async function changeSome(db: Db, change: RawBuilder<unknown>, which: RawBuilder<unknown>): Promise<number> {
  for (let changed = 0; ;) {
    const some = await inTransaction(db, async (tx) => {
      const { rows } = await sql<{ productId: string }>`
        UPDATE codes SET ${change}, updated_at = now() WHERE id IN (
          SELECT id FROM codes WHERE ${which} LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
        RETURNING product_id`.execute(tx)
      for (const productId of new Set(rows.map((row) => row.productId))) {
        await settleStock(tx, productId)
        // a sale may have counted before this commit
        await queueSettling(tx, productId)
      }
      return rows.length
    })
    changed += some
    if (some < AT_ONCE) return changed
  }
}

export const voidFree = (db: Db, productId: string, codeId: string | undefined): Promise<number> =>
  endFree(db, 'void', ofProduct(productId, codeId))

const ofProduct = (productId: string, codeId: string | undefined) =>
  codeId ? sql`product_id = ${productId}::uuid AND id = ${codeId}::uuid` : sql`product_id = ${productId}::uuid`

export const returnUnseen = (
  db: Db,
  { productId, codeId, marks }: { productId: string; codeId: string | undefined; marks: Buffer[] },
): Promise<number> =>
  changeSome(
    db,
    sql`state = 'free', payment_id = NULL, order_line_id = NULL`,
    sql`${ofProduct(productId, codeId)} AND ${canReturn(marks)}`,
  )

/**
 * True for withdrawn codes that were never shown and have not expired. Excludes duplicates, whose fingerprint has a space, and codes
 * with another mark: they are encrypted with a secret that the shop has lost.
 */
const canReturn = (marks: Buffer[]) => sql<boolean>`(state = 'void' AND seen_at IS NULL
  AND (expires_at IS NULL OR expires_at > now()) AND position(' ' IN fingerprint) = 0
  AND (substring(ciphertext FROM 1 FOR 1) <> ${firstOf(marks).subarray(0, 1)} OR ${isMarked(marks, 'ciphertext')})
  AND (sealed_parts IS NULL OR ${isMarked(marks, 'sealed_parts')}))`

/** Withdraws free codes that begin with none of these marks. Codes of format 1 have no mark, and stay. */
export const voidUnreadable = (db: Db, marks: Buffer[]): Promise<number> =>
  endFree(
    db,
    'void',
    sql`(substring(ciphertext FROM 1 FOR 1) = ${firstOf(marks).subarray(0, 1)} AND NOT ${isMarked(marks, 'ciphertext')}
      OR NOT ${isMarked(marks, 'sealed_parts')})`,
  )

/**
 * Lists a product that has codes again, and takes one without off the lists. Whoever changes a small stock calls it, or queues it
 * to run after the commit.
 */
export async function settleStock(tx: Tx, productId: string): Promise<void> {
  for (const id of await findStockedIds(tx, productId)) await settleOne(tx, id)
}

async function findStockedIds(tx: Tx, productId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM products WHERE variant_of = ${productId}::uuid
    UNION ALL SELECT id FROM products WHERE id = ${productId}::uuid AND NOT has_variants`.execute(tx)
  return rows.map(({ id }) => id)
}

async function settleOne(tx: Tx, productId: string): Promise<void> {
  const isStale = (found: Standing | undefined): found is Standing =>
    found !== undefined && found.wasOut !== found.isOut
  if (!isStale(await readStanding(tx, productId))) return
  // its bundles and the product of a variant too, in the order in which a checkout and an edit lock them
  await sql`SELECT FROM products WHERE id = ANY (ARRAY (
      SELECT bundle_id FROM bundle_parts WHERE product_id = ${productId}::uuid
      UNION ALL SELECT coalesce(variant_of, id) FROM products WHERE id = ${productId}::uuid
      UNION ALL SELECT ${productId}::uuid))
    ORDER BY delivery <> 'bundle', variant_of IS NOT NULL, id FOR NO KEY UPDATE`.execute(tx)
  // read again: another transaction may have settled it before the lock
  const found = await readStanding(tx, productId)
  if (!isStale(found)) return
  await setOutOfStock(tx, productId, found.isOut)
  if (!found.isOut) await addJob(tx, 'tell_restocked', { productId }, { key: `restocked:${productId}` })
}

type Standing = { wasOut: boolean; isOut: boolean }

async function readStanding(tx: Tx, productId: string): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    SELECT p.is_out_of_stock AS "wasOut", NOT EXISTS (SELECT FROM codes c WHERE c.product_id = p.id
      AND ${sql.raw(IS_FREE_CODE)}) AND NOT EXISTS (SELECT FROM supplied_products y WHERE y.product_id = p.id) AS "isOut"
    FROM products p WHERE p.id = ${productId}::uuid AND p.delivery = 'code'`.execute(tx)
  return rows[0]
}

/**
 * Settles a product after the commit. Without a key: a queued job with the same key would make one buyer wait for another's
 * transaction.
 */
export const queueSettling = (tx: Tx, productId: string) => addJob(tx, 'settle_stock', { productId })

export const stockJobs = (db: Db): Job[] => [
  {
    name: 'settle_stock',
    pool: 'other',
    run: ({ productId = '' }) => inTransaction(db, (tx) => settleStock(tx, productId)),
  },
  {
    name: 'expire_codes',
    pool: 'other',
    cron: '* * * * *',
    run: async () => void (await endFree(db, 'expired', sql`expires_at <= now()`)),
  },
]
