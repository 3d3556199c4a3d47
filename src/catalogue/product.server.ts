import type pg from 'pg'
import { statement } from '../kit/database.server.ts'
import { asJson, type JsonText, type User } from '../kit/handle.server.ts'
import { BRIEF_FIELDS, CREATED, momentOf, PRODUCT_FIELDS, shownName, STANDING_FIELDS } from './product.sql.server.ts'
import type { Page } from './shelf/cursor.server.ts'

type Json = { json: string }

export async function readCategories(pool: pg.Pool): Promise<JsonText> {
  const [all] = await categories(pool)
  return asJson(all!.json)
}

/** A product as the viewer or the public sees it; null when it is deleted, or unlisted and another's. */
export async function readProduct(pool: pg.Pool, id: string, viewer?: User): Promise<JsonText | null> {
  const [product] = await productStatement(pool, id, viewer?.id ?? null, viewer?.isAdmin ?? false)
  return product ? asJson(product.json) : null
}

const categories = statement<Json, []>(
  'categories',
  `SELECT json_agg(json_build_object('id', c.id, 'name', c.name, 'productCount', coalesce(n.count, 0)) ORDER BY c.position)::text AS json
  FROM categories c
  LEFT JOIN (SELECT category_id, count(*) FROM products WHERE is_listed GROUP BY category_id) n ON n.category_id = c.id`,
)

const starsOf = (rating: string) =>
  `json_build_array(${[1, 2, 3, 4, 5].map((stars) => `coalesce(${rating}.stars_${stars}, 0)`).join(', ')})`

const productStatement = statement<Json, [id: string, viewerId: string | null, isAdmin: boolean]>(
  'product',
  `SELECT json_build_object(${PRODUCT_FIELDS}, ${STANDING_FIELDS},
    'sellerId', p.seller_id, 'sellerName', ${shownName('u', 'Primo seller')},
    'file', CASE WHEN f.id IS NOT NULL AND p.delivery = 'file' THEN
      json_build_object('name', f.file_name, 'contentType', f.content_type, 'sizeBytes', f.size_bytes) END,
    'isMine', coalesce(p.seller_id = $2::uuid, false),
    'rating', json_build_object('product', ${starsOf('r')}, 'store', ${starsOf('s')}, 'samples', coalesce(s.samples, 0))
    )::text AS json
  FROM products p JOIN users u ON u.id = p.seller_id
  LEFT JOIN ratings r ON r.product_id = p.id LEFT JOIN store_rating s ON s.id
  LEFT JOIN product_files f ON f.product_id = p.id AND f.id = p.file_id
  WHERE p.id = $1::uuid AND p.deleted_at IS NULL AND (p.is_listed OR p.seller_id = $2::uuid OR $3::boolean)`,
)

export const readOwn = statement<Page, [sellerId: string, limit: number, created: unknown, id: unknown]>(
  'own_products',
  `WITH page AS (
    SELECT p.*, row_number() OVER (ORDER BY p.created_at DESC, p.id DESC) AS n FROM products p
    WHERE p.seller_id = $1 AND p.deleted_at IS NULL
      AND ($3::bigint IS NULL OR (p.created_at, p.id) < (${momentOf('$3')}, $4::uuid))
    ORDER BY p.created_at DESC, p.id DESC LIMIT $2::int + 1)
  SELECT coalesce(json_agg(json_build_object(${BRIEF_FIELDS}, ${STANDING_FIELDS}) ORDER BY n)
      FILTER (WHERE n <= $2), '[]')::text AS json,
    CASE WHEN count(*) > $2 THEN max(json_build_array(${CREATED}, p.id)::text) FILTER (WHERE n = $2) END AS next,
    (SELECT count(*) FROM products WHERE seller_id = $1 AND deleted_at IS NULL) AS total
  FROM page p`,
)
