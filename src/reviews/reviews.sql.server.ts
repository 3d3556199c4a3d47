import { shownName } from '../catalogue/product.sql.server.ts'
import { statement } from '../kit/database.server.ts'
import { isoOf } from '../kit/sql.server.ts'

/** A review as JSON; reads `reviews AS r` and the buyer's `users AS u`. */
const REVIEW = `json_build_object('id', r.id, 'author', coalesce(r.sample_author, ${shownName('u', 'A buyer')}),
  'stars', r.stars, 'text', r.body, 'createdAt', ${isoOf('r.created_at')}, 'editedAt', ${isoOf('r.edited_at')},
  'isSample', r.sample_author IS NOT NULL)`

type Page = { is_listed: boolean; json: string; total: number; next: string | null }

/** A page of a product's reviews: one index lookup, with a total that triggers maintain. */
export const readPage = statement<Page, [productId: string, limit: number, at: unknown, id: unknown]>(
  'reviews_page',
  `WITH hits AS MATERIALIZED (
      SELECT * FROM reviews
      WHERE product_id = $1 AND hidden_at IS NULL AND ($4::uuid IS NULL OR
        (created_at, id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid))
      ORDER BY created_at DESC, id DESC LIMIT $2::int + 1),
    page AS (SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS n FROM hits)
  SELECT EXISTS (SELECT FROM products WHERE id = $1 AND is_listed) AS is_listed,
    coalesce(json_agg(${REVIEW} ORDER BY n) FILTER (WHERE n <= $2), '[]')::text AS json,
    coalesce((SELECT stars_1 + stars_2 + stars_3 + stars_4 + stars_5 FROM ratings WHERE product_id = $1), 0) AS total,
    CASE WHEN count(*) > $2 THEN
      max(json_build_array((extract(epoch FROM r.created_at) * 1000000)::bigint, r.id)::text) FILTER (WHERE n = $2) END AS next
  FROM page r LEFT JOIN users u ON u.id = r.user_id`,
)

/** Reviewable purchases of the caller: of one product, or one line. */
export const readPurchases = statement<
  { json: string },
  [userId: string, productId: string | null, lineId: string | null]
>(
  'reviews_purchases',
  `SELECT coalesce(json_agg(json_build_object('lineId', l.id, 'boughtAt', ${isoOf('o.completed_at')},
      'review', CASE WHEN r.id IS NOT NULL THEN ${REVIEW} END) ORDER BY o.completed_at DESC, l.id), '[]')::text AS json
  FROM orders o JOIN order_lines l ON l.order_id = o.id
  LEFT JOIN reviews r ON r.order_line_id = l.id LEFT JOIN users u ON u.id = r.user_id
  WHERE o.user_id = $1 AND o.status = 'completed' AND l.seller_id <> $1
    AND ($2::uuid IS NULL OR l.product_id = $2::uuid) AND ($3::uuid IS NULL OR l.id = $3::uuid)`,
)
