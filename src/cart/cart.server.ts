import { sql } from 'kysely'
import type pg from 'pg'
import type { Buyable } from '../catalogue/catalogue.server.ts'
import { chosenProblem } from '../catalogue/price/choice.rules.ts'
import { ONE_IS_ENOUGH } from '../catalogue/kinds.rules.ts'
import { MAX_CHOSEN_CENTS } from '../catalogue/price.rules.ts'
import {
  BRIEF,
  IS_CASH,
  MIN_CENTS,
  minCentsOf,
  OPEN_COPY,
  soldFile,
  soldMoreFiles,
} from '../catalogue/product.sql.server.ts'
import { codeOf, statement, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle } from '../kit/handle.server.ts'
import { toCents } from '../kit/money.ts'
import { decimalOf, isoOf } from '../kit/sql.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import {
  addToCart,
  clearCart,
  getCart,
  MAX_CART_LINES,
  MAX_QUANTITY,
  removeFromCart,
  setCartQuantity,
} from './cart.contract.ts'

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const cartRoutes = [
  handle(getCart, async (_, { user, pool }) => asJson(await readCartOf(pool, user.id))),

  handle(addToCart, { limits }, async ({ productId, quantity, price, addedAt }, { user, pool }) => {
    const added = insertLine(pool, user.id, productId, quantity, centsOf(price), MAX_CART_LINES, addedAt ?? null)
    const [cart] = await refuseTooMany(added)
    if (cart?.has_variants) throw CHOOSE
    if (!cart?.is_on_sale) throw new Failure(404, 'Product not found')
    if (!cart.is_allowed) throw wrongPrice(price!, cart.least)
    if (!cart.is_added) throw FULL
    return asJson(await withOwned(pool, user.id, cart))
  }),

  handle(setCartQuantity, { limits }, async ({ id, quantity, price }, { user, pool }) => {
    const [cart] = await updateLine(pool, user.id, id, quantity, centsOf(price))
    if (cart?.is_found && !cart.is_allowed) throw wrongPrice(price!, cart.least)
    return foundIn(pool, user.id, cart!)
  }),

  handle(removeFromCart, { limits }, async ({ id }, { user, pool }) => {
    const [cart] = await deleteLine(pool, user.id, id)
    return foundIn(pool, user.id, cart!)
  }),

  handle(clearCart, { limits }, async (_, { user, db }) => {
    await db.deleteFrom('cartItems').where('userId', '=', user.id).execute()
    return []
  }),
]

const FULL = new Failure(409, `A cart can hold up to ${MAX_CART_LINES} products.`, 'cart_full')

/** The product is sold by its variants. */
export const CHOOSE = new Failure(409, 'Choose a variant on the page of the product first.', 'variant_missing')

const centsOf = (price: string | undefined) => (price === undefined ? null : toCents(price))

const wrongPrice = (price: string, leastCents: number) =>
  new Failure(409, `${chosenProblem(price, leastCents) ?? 'This price is no longer possible'}.`, 'under_minimum')

export type CartLine = { productId: string; quantity: number; priceCents: number }

/** The cart as JSON text. Most carts are empty, and looking first spares PostgreSQL the plan of the whole statement. */
export async function readCartOf(pool: pg.Pool, userId: string): Promise<string> {
  if ((await readAnyLine(pool, userId)).length === 0) return '[]'
  return withOwned(pool, userId, (await readCart(pool, userId))[0]!)
}

/** `addedAt` defines the position of a line in the cart. */
type TakenCart = { lines: (CartLine & { product: Buyable; addedAt: Date })[]; discountIds: string[] }

/**
 * Removes every line and returns them in the order of `findBuyable`, with the products locked until the transaction ends. A second
 * checkout waits for the lines and finds nothing. Also removes the codes that were kept for the sellers of the lines.
 */
export async function takeCart(tx: Tx, userId: string): Promise<TakenCart> {
  const { rows } = await sql<
    Buyable & { quantity: number; cents: number; addedAt: Date; discountIds: string[] | null }
  >`
    WITH taken AS (DELETE FROM cart_items WHERE user_id = ${userId}::uuid RETURNING product_id, quantity, price_cents, is_chosen, created_at),
      codes AS (DELETE FROM cart_discounts WHERE user_id = ${userId}::uuid
        AND seller_id IN (SELECT p.seller_id FROM taken t JOIN products p ON p.id = t.product_id) RETURNING discount_id)
    SELECT ${sql.raw(COPIES)} AS quantity, a.cents, l.created_at AS added_at, p.id, p.title, p.price_cents, p.suggested_cents, (${sql.raw(MIN_CENTS)})::float8 AS least_cents,
      p.seller_id, p.category_id, p.delivery, ${sql.raw(soldFile('p'))} AS file_id, ${sql.raw(soldMoreFiles('p'))} AS more_file_ids,
      p.is_on_sale, p.variant_of, p.has_variants, ${sql.raw(IS_CASH)} AS is_cash,
      (SELECT array_agg(discount_id) FROM codes) AS discount_ids
    FROM taken l JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id ${sql.raw(ASKED)}
    ORDER BY p.delivery <> 'bundle', p.id FOR SHARE OF p`.execute(tx)
  const lines = rows.map(({ quantity, cents, addedAt, discountIds: _, ...product }) => {
    return { productId: product.id, quantity, priceCents: cents, addedAt, product }
  })
  return { lines, discountIds: rows[0]?.discountIds ?? [] }
}

/** What a copy of the line `l` of the product `p` costs: where buyers choose the price, what this one chose. */
const ASKED = 'CROSS JOIN LATERAL (SELECT price_of(p, CASE WHEN l.is_chosen THEN l.price_cents END) AS cents) a'
/** A member gets one copy of what costs nothing. */
const COPIES = 'CASE WHEN a.cents = 0 THEN 1 ELSE l.quantity END'

/**
 * Restores lines in their order after a failed payment, and adds their quantities to existing lines. The lines of a bundle become
 * the bundle again.
 */
export async function returnToCart(tx: Tx, userId: string, lines: ReturnedLine[]) {
  if (lines.length === 0) return
  const items = [...Map.groupBy(lines, (line) => line.bundleId ?? line.productId)].map(([productId, same], place) => ({
    ...{ productId, place },
    quantity: same[0]!.quantity,
    priceCents: same.reduce((sum, { priceCents }) => sum + priceCents, 0),
  }))
  await sql`
    INSERT INTO cart_items (user_id, product_id, quantity, price_cents, is_chosen, created_at)
    SELECT ${userId}::uuid, i."productId", i.quantity, i."priceCents", p.suggested_cents IS NOT NULL, now() + i.place * interval '1 millisecond'
    FROM json_to_recordset(${JSON.stringify(items)}::json) AS i ("productId" uuid, quantity int, "priceCents" bigint, place int)
    JOIN products p ON p.id = i."productId"
    ON CONFLICT (user_id, product_id) DO UPDATE
      SET quantity = least(cart_items.quantity + excluded.quantity, ${MAX_QUANTITY})`.execute(tx)
}

/** Undoes `returnToCart` for an order that was completed after all. Copies that the member added meanwhile stay. */
export async function takeFromCart(tx: Tx, userId: string, lines: ReturnedLine[]) {
  const items = [...Map.groupBy(lines, (line) => line.bundleId ?? line.productId)].map(([productId, same]) => ({
    productId,
    quantity: same[0]!.quantity,
  }))
  const taken = sql`json_to_recordset(${JSON.stringify(items)}::json) AS i ("productId" uuid, quantity int)`
  await sql`DELETE FROM cart_items c USING ${taken}
    WHERE c.user_id = ${userId}::uuid AND c.product_id = i."productId" AND c.quantity <= i.quantity`.execute(tx)
  await sql`UPDATE cart_items c SET quantity = c.quantity - i.quantity FROM ${taken}
    WHERE c.user_id = ${userId}::uuid AND c.product_id = i."productId" AND c.quantity > i.quantity`.execute(tx)
}

type WantedLine = { productId: string; quantity: number; priceCents: number | null }

/**
 * Sees that the cart has at least these quantities of what is on sale, at today's prices; where buyers choose the price, at the
 * one of the line. Answers the products that are in the cart. Throws a 409 Failure, and adds nothing, if they do not all fit.
 */
export async function ensureLines(tx: Tx, userId: string, lines: WantedLine[]): Promise<Set<string>> {
  const { rows } = await sql<{ productId: string }>`
    INSERT INTO cart_items (user_id, product_id, quantity, price_cents, is_chosen)
    SELECT ${userId}::uuid, p.id, i.quantity, price_of(p, i."priceCents"), p.suggested_cents IS NOT NULL AND i."priceCents" IS NOT NULL
    FROM json_to_recordset(${JSON.stringify(lines)}::json) AS i ("productId" uuid, quantity int, "priceCents" bigint)
    JOIN products p ON p.id = i."productId" WHERE p.is_on_sale
    ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = greatest(cart_items.quantity, excluded.quantity)
    RETURNING product_id AS "productId"`.execute(tx)
  const { rows: counted } = await sql<{ lines: number }>`
    SELECT count(*)::int AS lines FROM cart_items WHERE user_id = ${userId}::uuid`.execute(tx)
  if (rows.length > 0 && counted[0]!.lines > MAX_CART_LINES) throw FULL
  return new Set(rows.map(({ productId }) => productId))
}

type ReturnedLine = CartLine & { bundleId: string | null }

async function refuseTooMany<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) !== '23514' && codeOf(error) !== '22003') throw error
    throw new Failure(409, `At most ${MAX_QUANTITY.toLocaleString('en')} of one product.`, 'too_many_of_one')
  }
}

async function foundIn(pool: pg.Pool, userId: string, cart: Cart & { is_found: boolean }) {
  if (!cart.is_found) throw new Failure(404, 'Not found')
  return asJson(await withOwned(pool, userId, cart))
}

/** Few carts hold what their shopper has and needs once: the others are spared the question which copies open. */
const withOwned = async (pool: pg.Pool, userId: string, { json, owns }: Cart): Promise<string> =>
  owns ? (await readOwnedCart(pool, userId))[0]!.json : json

/** `owns`: the shopper may have something of it, which the JSON does not say. */
type Cart = { json: string; owns: boolean }
/** `is_allowed`: the buyer may choose this price, which is at least `least`. */
type Priced = { is_allowed: boolean; least: number }
type ChangedCart = Cart & Priced & { is_found: boolean }

const isAllowed = (chosen: string) =>
  `(${chosen}::bigint IS NULL OR p.suggested_cents IS NULL OR ${chosen} BETWEEN p.price_cents AND ${MAX_CHOSEN_CENTS})`

const ONE_ENOUGH = `('${ONE_IS_ENOUGH.join("', '")}')`
/** What the parts of the bundle `p` say of it, in one row. `needed_once` are the parts of which one copy is enough. */
const PARTS = `(SELECT json_agg(q.title ORDER BY b.position) AS titles, count(*) AS count,
    bool_and(q.delivery IN ${ONE_ENOUGH}) AS is_one_enough, bool_and(g.earns_bonus) AS earns, bool_or(g.is_cash) AS is_cash,
    array_agg(q.id) FILTER (WHERE q.delivery IN ${ONE_ENOUGH}) AS needed_once
  FROM bundle_parts b JOIN products q ON q.id = b.product_id JOIN categories g ON g.id = q.category_id WHERE b.bundle_id = p.id)`
/**
 * Titles of what the shopper of the line `l` can open already, of the product `p` or its parts, and where one copy is enough. By OFFSET,
 * PostgreSQL plans the question which copies open once, and not for the product and its parts.
 */
const OWNED = `(SELECT json_agg(q.title ORDER BY q.position) FROM (SELECT p.id, p.title, p.delivery, 0 AS position
    UNION ALL SELECT q.id, q.title, q.delivery, b.position FROM bundle_parts b JOIN products q ON q.id = b.product_id WHERE b.bundle_id = p.id OFFSET 0) q
  WHERE q.delivery IN ${ONE_ENOUGH} AND EXISTS (SELECT ${OPEN_COPY} AND e.user_id = l.user_id AND e.product_id = q.id))`

/**
 * The columns and FROM of a statement that answers the cart `lines`, as JSON that PostgreSQL builds. It looks at the parts of a bundle once:
 * behind a pooler PostgreSQL plans each statement anew, and a plan takes longer than this statement.
 */
const cartOf = (lines: string, owned = 'NULL') => `coalesce(json_agg(json_build_object(
    'id', l.id, 'productId', l.product_id, 'quantity', ${COPIES}, 'addedAt', ${isoOf('l.created_at')},
    'product', json_build_object(
      'price', ${decimalOf('a.cents')}, 'suggested', ${decimalOf('p.suggested_cents')}, 'least', ${decimalOf(minCentsOf('parts.count'))},
      'title', p.title, 'description', nullif(${BRIEF}, ''), 'categoryId', p.category_id, 'isActive', p.is_on_sale,
      'choiceId', CASE WHEN NOT p.is_on_sale THEN (SELECT w.id FROM products w
        WHERE w.id = coalesce(p.variant_of, p.id) AND w.has_variants AND w.is_listed) END,
      'isOneEnough', coalesce(parts.is_one_enough, p.delivery IN ${ONE_ENOUGH}), 'owned', ${owned}, 'isOwn', p.seller_id = l.user_id,
      'isCash', c.is_cash OR coalesce(parts.is_cash, false), 'parts', parts.titles, 'onceIds', parts.needed_once, 'earns', coalesce(parts.earns, true),
      'wasPrice', CASE WHEN l.price_cents <> a.cents THEN ${decimalOf('l.price_cents')} END,
      'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'coverId', p.variant_of
    ),
    'discount', CASE WHEN d.id IS NOT NULL THEN json_build_object('id', d.id, 'code', d.code, 'percent', d.percent,
      'amount', ${decimalOf('d.amount_cents')}, 'problem', discount_problem(d, l.user_id)) END
    ) ORDER BY l.created_at, l.id), '[]')::text AS json,
    coalesce(bool_or(EXISTS (SELECT FROM entitlements e WHERE e.user_id = l.user_id AND e.revoked_at IS NULL
      AND e.product_id = ANY (parts.needed_once || CASE WHEN p.delivery IN ${ONE_ENOUGH} THEN p.id END))), false) AS owns
  FROM ${lines} l JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id ${ASKED}
  LEFT JOIN LATERAL ${PARTS} parts ON p.delivery = 'bundle'
  LEFT JOIN cart_discounts k ON k.user_id = l.user_id AND k.seller_id = p.seller_id
  LEFT JOIN discounts d ON d.id = k.discount_id AND (d.is_for_all
    OR EXISTS (SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id IN (p.id, p.variant_of)))`

const readAnyLine = statement<object, [userId: string]>('cart_any', 'SELECT FROM cart_items WHERE user_id = $1 LIMIT 1')

const readCart = statement<Cart, [userId: string]>(
  'cart_read',
  `SELECT ${cartOf('(SELECT * FROM cart_items WHERE user_id = $1)')}`,
)

const readOwnedCart = statement<Cart, [userId: string]>(
  'cart_owned',
  `SELECT ${cartOf('(SELECT * FROM cart_items WHERE user_id = $1)', `CASE WHEN a.cents > 0 THEN ${OWNED} END`)}`,
)

const insertLine = statement<
  Cart & Priced & { is_on_sale: boolean; has_variants: boolean | null; is_added: boolean },
  [userId: string, productId: string, quantity: number, chosen: number | null, most: number, addedAt: string | null]
>(
  'cart_add',
  `WITH mine AS (SELECT * FROM cart_items WHERE user_id = $1),
    wanted AS (
      SELECT p.id, ${isAllowed('$4')} AS is_allowed, p.price_cents AS least,
        price_of(p, coalesce($4, m.price_cents)) AS cents, p.suggested_cents IS NOT NULL AND ($4::bigint IS NOT NULL OR m.id IS NOT NULL) AS is_chosen
      FROM products p LEFT JOIN mine m ON m.product_id = p.id AND m.is_chosen WHERE p.id = $2 AND p.is_on_sale),
    added AS (
      INSERT INTO cart_items (user_id, product_id, quantity, price_cents, is_chosen, created_at)
      SELECT $1, wanted.id, $3::int, wanted.cents, wanted.is_chosen, least(now(), $6::timestamptz) FROM wanted
      WHERE is_allowed AND ((SELECT count(*) FROM mine) < $5::int OR EXISTS (SELECT FROM mine WHERE product_id = $2))
      ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = cart_items.quantity + excluded.quantity, price_cents = excluded.price_cents,
        is_chosen = excluded.is_chosen
      RETURNING *),
    lines AS (SELECT * FROM mine WHERE id NOT IN (SELECT id FROM added) UNION ALL SELECT * FROM added)
  SELECT EXISTS (SELECT FROM wanted) AS is_on_sale, (SELECT has_variants FROM products WHERE id = $2 AND is_listed), (SELECT is_allowed FROM wanted), (SELECT least FROM wanted),
    EXISTS (SELECT FROM added) AS is_added, ${cartOf('lines')}`,
)

const updateLine = statement<ChangedCart, [userId: string, id: string, quantity: number, chosen: number | null]>(
  'cart_set',
  `WITH found AS (
      SELECT l.id, ${isAllowed('$4')} AS is_allowed, p.price_cents AS least,
        CASE WHEN p.suggested_cents IS NOT NULL THEN $4 END AS chosen
      FROM cart_items l JOIN products p ON p.id = l.product_id WHERE l.id = $2 AND l.user_id = $1),
    changed AS (
      UPDATE cart_items l SET quantity = $3::int, price_cents = coalesce(found.chosen, l.price_cents),
        is_chosen = l.is_chosen OR found.chosen IS NOT NULL
      FROM found WHERE l.id = found.id AND found.is_allowed RETURNING l.*),
    lines AS (SELECT * FROM cart_items WHERE user_id = $1 AND id <> $2 UNION ALL SELECT * FROM changed)
  SELECT EXISTS (SELECT FROM found) AS is_found, (SELECT is_allowed FROM found), (SELECT least FROM found),
    ${cartOf('lines')}`,
)

const deleteLine = statement<Cart & { is_found: boolean }, [userId: string, id: string]>(
  'cart_remove',
  `WITH gone AS (DELETE FROM cart_items WHERE id = $2 AND user_id = $1 RETURNING id),
    lines AS (SELECT * FROM cart_items WHERE user_id = $1 AND id <> $2)
  SELECT EXISTS (SELECT FROM gone) AS is_found, ${cartOf('lines')}`,
)
