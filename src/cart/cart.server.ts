import { sql } from 'kysely'
import type pg from 'pg'
import type { Buyable } from '../catalogue/catalogue.server.ts'
import { BRIEF, soldFile, soldMoreFiles } from '../catalogue/product.sql.server.ts'
import { codeOf, statement, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle } from '../kit/handle.server.ts'
import { decimalOf } from '../kit/sql.server.ts'
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

  handle(addToCart, { limits }, async ({ productId, quantity }, { user, pool }) => {
    const [cart] = await refuseTooMany(insertLine(pool, user.id, productId, quantity, MAX_CART_LINES))
    if (!cart?.is_listed) throw new Failure(404, 'Product not found')
    if (!cart.is_added) throw new Failure(409, `A cart can hold up to ${MAX_CART_LINES} products.`, 'cart_full')
    return asJson(cart.json)
  }),

  handle(setCartQuantity, { limits }, async ({ id, quantity }, { user, pool }) => {
    return foundIn(await updateLine(pool, user.id, id, quantity))
  }),

  handle(removeFromCart, { limits }, async ({ id }, { user, pool }) => {
    return foundIn(await deleteLine(pool, user.id, id))
  }),

  handle(clearCart, { limits }, async (_, { user, db }) => {
    await db.deleteFrom('cartItems').where('userId', '=', user.id).execute()
    return []
  }),
]

export type CartLine = { productId: string; quantity: number }

/** The cart as JSON text. */
export const readCartOf = async (pool: pg.Pool, userId: string): Promise<string> =>
  (await readCart(pool, userId))[0]!.json

type TakenCart = { lines: (CartLine & { product: Buyable })[]; discountIds: string[] }

/**
 * Removes every line and returns them in product order, with the products locked until the transaction ends. A second
 * checkout waits for the lines and finds nothing. Also removes the codes that were kept for the sellers of the lines.
 */
export async function takeCart(tx: Tx, userId: string): Promise<TakenCart> {
  const { rows } = await sql<Buyable & { quantity: number; discountIds: string[] | null }>`
    WITH taken AS (DELETE FROM cart_items WHERE user_id = ${userId}::uuid RETURNING product_id, quantity),
      codes AS (DELETE FROM cart_discounts WHERE user_id = ${userId}::uuid
        AND seller_id IN (SELECT p.seller_id FROM taken t JOIN products p ON p.id = t.product_id) RETURNING discount_id)
    SELECT t.quantity, p.id, p.title, p.price_cents, p.seller_id, p.category_id, p.delivery,
      ${sql.raw(soldFile('p'))} AS file_id, ${sql.raw(soldMoreFiles('p'))} AS more_file_ids,
      p.is_listed, c.is_cash,
      (SELECT array_agg(discount_id) FROM codes) AS discount_ids
    FROM taken t JOIN products p ON p.id = t.product_id JOIN categories c ON c.id = p.category_id
    ORDER BY p.id FOR SHARE OF p`.execute(tx)
  const lines = rows.map(({ quantity, discountIds: _, ...product }) => ({ productId: product.id, quantity, product }))
  return { lines, discountIds: rows[0]?.discountIds ?? [] }
}

/** Puts lines back and adds their quantities to existing lines, so that a failed payment does not cost the buyer the cart. */
export async function returnToCart(tx: Tx, userId: string, lines: CartLine[]) {
  if (lines.length === 0) return
  await tx
    .insertInto('cartItems')
    .values(lines.map(({ productId, quantity }) => ({ userId, productId, quantity })))
    .onConflict((line) =>
      line.columns(['userId', 'productId']).doUpdateSet((row) => ({
        quantity: row.fn<number>('least', [
          row('cartItems.quantity', '+', row.ref('excluded.quantity')),
          row.val(MAX_QUANTITY),
        ]),
      })),
    )
    .execute()
}

async function refuseTooMany<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) !== '23514' && codeOf(error) !== '22003') throw error
    throw new Failure(409, `At most ${MAX_QUANTITY.toLocaleString('en')} of one product.`, 'too_many_of_one')
  }
}

function foundIn([cart]: ChangedCart[]) {
  if (!cart?.is_found) throw new Failure(404, 'Not found')
  return asJson(cart.json)
}

type Cart = { json: string }
type ChangedCart = Cart & { is_found: boolean }

/** Each call is one statement: `change` alters the cart, `lines` is the cart after it. PostgreSQL builds the JSON. */
const cartJson = (lines: string) => `(SELECT coalesce(json_agg(json_build_object(
    'id', l.id, 'productId', l.product_id, 'quantity', l.quantity,
    'product', json_build_object(
      'price', ${decimalOf('p.price_cents')},
      'title', p.title, 'description', nullif(${BRIEF}, ''), 'categoryId', p.category_id, 'isActive', p.is_listed, 'isFile', p.delivery = 'file', 'isOwn', p.seller_id = l.user_id, 'isCash', c.is_cash,
      'wasPrice', CASE WHEN l.price_cents <> p.price_cents THEN ${decimalOf('l.price_cents')} END,
      'imageUrl', '/images/' || p.image_object_id || '/640.webp'
    ),
    'discount', CASE WHEN d.id IS NOT NULL THEN json_build_object('id', d.id, 'code', d.code, 'percent', d.percent,
      'amount', ${decimalOf('d.amount_cents')}, 'problem', discount_problem(d, l.user_id)) END
    ) ORDER BY l.created_at, l.id), '[]')::text
  FROM ${lines} l JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id
  LEFT JOIN cart_discounts k ON k.user_id = l.user_id AND k.seller_id = p.seller_id
  LEFT JOIN discounts d ON d.id = k.discount_id AND (d.is_for_all
    OR EXISTS (SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id = p.id)))`

const readCart = statement<Cart, [userId: string]>(
  'cart_read',
  `SELECT ${cartJson('(SELECT * FROM cart_items WHERE user_id = $1)')} AS json`,
)

const insertLine = statement<
  Cart & { is_listed: boolean; is_added: boolean },
  [userId: string, productId: string, quantity: number, most: number]
>(
  'cart_add',
  `WITH mine AS (SELECT * FROM cart_items WHERE user_id = $1),
    wanted AS (SELECT id, price_cents FROM products WHERE id = $2 AND is_listed),
    added AS (
      INSERT INTO cart_items (user_id, product_id, quantity, price_cents)
      SELECT $1, wanted.id, $3::int, wanted.price_cents FROM wanted
      WHERE (SELECT count(*) FROM mine) < $4::int OR EXISTS (SELECT FROM mine WHERE product_id = $2)
      ON CONFLICT (user_id, product_id) DO UPDATE SET quantity = cart_items.quantity + excluded.quantity, price_cents = excluded.price_cents
      RETURNING *),
    lines AS (SELECT * FROM mine WHERE id NOT IN (SELECT id FROM added) UNION ALL SELECT * FROM added)
  SELECT EXISTS (SELECT FROM wanted) AS is_listed, EXISTS (SELECT FROM added) AS is_added, ${cartJson('lines')} AS json`,
)

const updateLine = statement<ChangedCart, [userId: string, id: string, quantity: number]>(
  'cart_set',
  `WITH changed AS (UPDATE cart_items SET quantity = $3::int WHERE id = $2 AND user_id = $1 RETURNING *),
    lines AS (SELECT * FROM cart_items WHERE user_id = $1 AND id <> $2 UNION ALL SELECT * FROM changed)
  SELECT EXISTS (SELECT FROM changed) AS is_found, ${cartJson('lines')} AS json`,
)

const deleteLine = statement<ChangedCart, [userId: string, id: string]>(
  'cart_remove',
  `WITH gone AS (DELETE FROM cart_items WHERE id = $2 AND user_id = $1 RETURNING id),
    lines AS (SELECT * FROM cart_items WHERE user_id = $1 AND id <> $2)
  SELECT EXISTS (SELECT FROM gone) AS is_found, ${cartJson('lines')} AS json`,
)
