import { sql } from 'kysely'
import type pg from 'pg'
import { asPage, type Page, readCursor } from '../../catalogue/shelf/cursor.server.ts'
import type { Input } from '../../kit/contract.ts'
import { codeOf, type Db, inTransaction, now, statement, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { toCents } from '../../kit/money.ts'
import { decimalOf, isoOf } from '../../kit/sql/json.server.ts'
import { type DiscountWords, type listOwnDiscounts, MANY_DISCOUNTS } from './ownDiscounts.contract.ts'

// The codes of a seller.

type Own = { sellerId: string; id: string }

const MISSING = new Failure(404, 'Not found')
const TAKEN = new Failure(409, 'You have a code with this name.', 'code_taken')
const ENDED = new Failure(409, 'This code has ended. Change its last day to use it again.', 'ended')
const CHANGED = new Failure(409, 'This code was changed elsewhere. Compare both versions and save again.', 'changed')
const USED = new Failure(409, 'Orders have used this code, so it stays. End it instead.', 'used')

// violated foreign keys: 23001 since PostgreSQL 18, 23503 in earlier versions
const REFERRED = new Set(['23001', '23503'])

const FIELDS = `'id', d.id, 'version', d.version, 'code', d.code, 'percent', d.percent, 'amount', ${decimalOf('d.amount_cents')},
  'products', CASE WHEN NOT d.is_for_all THEN (SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title) ORDER BY p.title, p.id), '[]')
    FROM discount_products x JOIN products p ON p.id = x.product_id WHERE x.discount_id = d.id) END,
  'isFirstOnly', d.is_first_only, 'startsAt', ${isoOf('d.starts_at')}, 'endsAt', ${isoOf('d.ends_at')},
  'mostUses', d.most_uses, 'mostPerBuyer', d.most_per_buyer, 'state', coalesce(discount_problem(d, NULL), 'active'), 'uses', d.uses,
  'revenue', ${decimalOf(`(SELECT coalesce(sum(u.paid_cents), 0)::bigint FROM discount_uses u JOIN orders o ON o.id = u.order_id
    WHERE u.discount_id = d.id AND u.returned_at IS NULL AND o.status = 'completed')`)},
  'isUsed', EXISTS (SELECT FROM discount_uses u WHERE u.discount_id = d.id),
  'linkProductId', (SELECT p.id FROM products p WHERE p.seller_id = d.seller_id AND p.is_listed AND (d.is_for_all
    OR EXISTS (SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id = p.id)) ORDER BY p.created_at DESC, p.id LIMIT 1)`

const CREATED = `(extract(epoch FROM d.created_at) * 1000000)::bigint`

const readMany = statement<Page, [sellerId: string, limit: number, key: unknown, id: unknown]>(
  'own_discounts',
  `WITH page AS (
    SELECT d.*, row_number() OVER (ORDER BY d.created_at DESC, d.id DESC) AS n FROM discounts d
    WHERE d.seller_id = $1 AND ($4::uuid IS NULL OR (${CREATED}, d.id) < ($3::bigint, $4))
    ORDER BY d.created_at DESC, d.id DESC LIMIT $2::int + 1)
  SELECT coalesce(json_agg(json_build_object(${FIELDS}) ORDER BY n) FILTER (WHERE n <= $2), '[]')::text AS json,
    CASE WHEN count(*) > $2 THEN max(json_build_array(${CREATED}, d.id)::text) FILTER (WHERE n = $2) END AS next,
    (SELECT count(*) FROM discounts WHERE seller_id = $1) AS total
  FROM page JOIN discounts d USING (id)`,
)

export async function readDiscounts(
  pool: pg.Pool,
  sellerId: string,
  { limit = MANY_DISCOUNTS, after }: Input<typeof listOwnDiscounts>,
): Promise<JsonText> {
  const [key = null, id = null] = readCursor(after, 'discounts', ['number', 'id'])
  const [page] = await readMany(pool, sellerId, Number(limit), key, id)
  return asPage(page!, 'discounts', '/api/account/discounts', { limit })
}

const readOne = statement<{ json: string }, [id: string, sellerId: string]>(
  'own_discount',
  `SELECT json_build_object(${FIELDS})::text AS json FROM discounts d WHERE d.id = $1 AND d.seller_id = $2`,
)

/** Throws a Failure 404 unless the code is the seller's. */
export async function readDiscount(pool: pg.Pool, { id, sellerId }: Own): Promise<JsonText> {
  const [row] = await readOne(pool, id, sellerId)
  if (!row) throw MISSING
  return asJson(row.json)
}

const rowOf = ({ amount, productIds, startsAt, endsAt, ...words }: DiscountWords) => ({
  ...words,
  amountCents: amount === null ? null : toCents(amount),
  isForAll: productIds === null,
  startsAt: startsAt === null ? null : new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
})

export async function insertDiscount(db: Db, sellerId: string, words: DiscountWords): Promise<string> {
  return refuseTaken(() =>
    inTransaction(db, async (tx) => {
      const { id } = await tx
        .insertInto('discounts')
        .values({ sellerId, ...rowOf(words) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await setProducts(tx, { id, sellerId }, words.productIds)
      return id
    }),
  )
}

/** Throws a Failure 404 unless the code is the seller's, 409 for an older version or if more orders than `mostUses` have used it. */
export async function updateDiscount(db: Db, own: Own, version: number, words: DiscountWords) {
  await refuseTaken(() =>
    inTransaction(db, async (tx) => {
      const { uses, version: saved } = await lockOwn(tx, own)
      if (saved !== version) throw CHANGED
      if (words.mostUses !== null && words.mostUses < uses)
        throw new Failure(409, `Orders have used this code ${uses} times already.`, 'used_more')
      const edit = { ...rowOf(words), version: version + 1 }
      await tx.updateTable('discounts').set(edit).where('id', '=', own.id).execute()
      await setProducts(tx, own, words.productIds)
    }),
  )
}

/** Throws a Failure 404 unless the code is the seller's, 409 if it has ended. */
export const moveDiscount = (db: Db, own: Own, state: 'active' | 'paused' | 'ended') =>
  inTransaction(db, async (tx) => {
    const { isEnded, version } = await lockOwn(tx, own)
    if (isEnded) throw ENDED
    const change =
      state === 'ended'
        ? // a code that has not started ends before it starts
          {
            endsAt: now,
            startsAt: sql<Date | null>`CASE WHEN starts_at < now() THEN starts_at END`,
            version: version + 1,
          }
        : { pausedAt: state === 'paused' ? now : null }
    await tx.updateTable('discounts').set(change).where('id', '=', own.id).execute()
  })

/** Throws a Failure 404 unless the code is the seller's, 409 if an order has used it. */
export async function deleteDiscount(db: Db, { id, sellerId }: Own) {
  try {
    const gone = db.deleteFrom('discounts').where('id', '=', id).where('sellerId', '=', sellerId)
    if ((await gone.executeTakeFirst()).numDeletedRows === 0n) throw MISSING
  } catch (error) {
    throw REFERRED.has(codeOf(error)) ? USED : error
  }
}

/** Removes the codes that an erased account kept, and its own. Those that orders have used are paused. */
export async function forgetDiscountsOf(tx: Tx, userId: string) {
  await tx.deleteFrom('cartDiscounts').where('userId', '=', userId).execute()
  await sql`DELETE FROM discounts d WHERE seller_id = ${userId}::uuid
    AND NOT EXISTS (SELECT FROM discount_uses u WHERE u.discount_id = d.id)`.execute(tx)
  await tx.updateTable('discounts').set({ pausedAt: now }).where('sellerId', '=', userId).execute()
}

async function lockOwn(tx: Tx, { id, sellerId }: Own) {
  const own = await tx
    .selectFrom('discounts')
    .select(['uses', 'version', sql<boolean>`coalesce(ends_at <= now(), false)`.as('isEnded')])
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!own) throw MISSING
  return own
}

/** Throws a Failure 404 unless all products are the seller's. */
async function setProducts(tx: Tx, { id, sellerId }: Own, productIds: string[] | null) {
  await tx.deleteFrom('discountProducts').where('discountId', '=', id).execute()
  if (productIds === null) return
  const added = await sql`INSERT INTO discount_products (discount_id, product_id)
    SELECT ${id}::uuid, p.id FROM products p
    WHERE p.id = ANY (${productIds}::uuid[]) AND p.seller_id = ${sellerId}::uuid AND p.deleted_at IS NULL`.execute(tx)
  if (Number(added.numAffectedRows) !== new Set(productIds).size) throw new Failure(404, 'Product not found')
}

async function refuseTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw codeOf(error) === '23505' ? TAKEN : error
  }
}
