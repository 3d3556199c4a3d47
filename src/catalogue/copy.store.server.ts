import type pg from 'pg'
import { statement } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'

/** Copies the words of a seller's product into a draft; answers its id. Image and file belong to one product each. */
export async function copyProduct(pool: pg.Pool, { sellerId, id }: { sellerId: string; id: string }): Promise<string> {
  const [copy] = await insertCopy(pool, id, sellerId)
  if (!copy) throw new Failure(404, 'Product not found')
  return copy.id
}

const insertCopy = statement<{ id: string }, [id: string, sellerId: string]>(
  'product_copy',
  `INSERT INTO products (seller_id, category_id, title, description, price_cents, suggested_cents, delivery, stamps_pdf, is_out_of_stock, is_active)
  SELECT seller_id, category_id, left(title, 193) || ' (copy)', description, price_cents, suggested_cents, delivery, stamps_pdf, delivery IN ('code', 'bundle', 'course'), false
  FROM products WHERE id = $1 AND seller_id = $2 AND deleted_at IS NULL AND variant_of IS NULL
  RETURNING id`,
)
