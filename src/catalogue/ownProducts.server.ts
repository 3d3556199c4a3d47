import { statement } from '../kit/database.server.ts'
import { asJson, handle } from '../kit/handle.server.ts'
import { type Keys, readCursor, writeCursor } from './shelf/cursor.server.ts'
import { listOwnProducts, MANY_OWN } from './ownProducts.contract.ts'
import { BRIEF_FIELDS, CREATED, momentOf, STANDING_FIELDS } from './product.sql.server.ts'

export const ownProductRoutes = [
  handle(
    listOwnProducts,
    { limits: [{ per: 'account', count: 60, seconds: 60 }] },
    async ({ limit = MANY_OWN, after }, { user, pool }) => {
      const [created = null, id = null] = after === undefined ? [] : readCursor(after, 'own', ['number', 'id'])
      const [page] = await readOwn(pool, user.id, limit, created, id)
      const { json, total, next } = page!
      const cursor = next && writeCursor('own', JSON.parse(next) as Keys)
      const link = cursor && `</api/account/products?limit=${limit}&after=${cursor}>; rel="next"`
      return asJson(json, { 'x-total-count': total, ...(link && { link }) })
    },
  ),
]

type Key = string | number | null
type Page = { json: string; total: string; next: string | null }

const readOwn = statement<Page, [sellerId: string, limit: number, created: Key, id: Key]>(
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
