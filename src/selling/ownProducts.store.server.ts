import type pg from 'pg'
import { PART_FIELDS } from '../catalogue/bundles/parts.sql.server.ts'
import { BRIEF_FIELDS, CREATED, IS_FREE_CODE, momentOf, PRODUCT_FIELDS } from '../catalogue/product.sql.server.ts'
import { withVariants } from '../catalogue/variants/variants.sql.server.ts'
import { IS_SOLD } from '../catalogue/kind.server.ts'
import { asPage, type KeyKind, type Page, readCursor } from '../catalogue/shelf/cursor.server.ts'
import { statement } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, type JsonText } from '../kit/handle.server.ts'
import { decimalOf, isoOf } from '../kit/sql/json.server.ts'
import { type listOwnProducts, MANY_OWN, type OwnSort } from './selling.contract.ts'
import type { Input } from '../kit/contract.ts'

// A seller's own products. An index leads to those of the seller; search, status and sort read only them.

export const STATUS = `CASE WHEN p.is_listed THEN 'listed' WHEN p.taken_down IS NOT NULL OR p.is_suspended AND p.is_active THEN 'stopped' WHEN p.is_active THEN 'incomplete'
  WHEN p.withdrawn_at IS NULL THEN 'draft' ELSE 'withdrawn' END`
/** Sales as the Sales page counts them: with refunded sales, without the seller's own purchases. A bundle counts its orders. */
const IS_COUNTED = 'NOT e.is_gift AND e.user_id <> p.seller_id'
export const SALES = `(CASE WHEN p.delivery = 'bundle' THEN (SELECT count(DISTINCT l.order_id) FROM order_lines l
    JOIN entitlements e ON e.order_line_id = l.id AND ${IS_COUNTED} WHERE l.bundle_id = p.id)
  ELSE (SELECT count(*) FROM entitlements e WHERE e.product_id = ${withVariants('p.id')} AND ${IS_COUNTED}) END)`
export const STOCK = `CASE p.delivery WHEN 'code' THEN
  (SELECT count(*) FROM codes c WHERE c.product_id = ${withVariants('p.id')} AND ${IS_FREE_CODE}) END`

const OWN_VARIANTS = `(SELECT coalesce(json_agg(json_build_object('id', w.id, 'name', w.variant_name, 'price', ${decimalOf('w.price_cents')},
      'isActive', w.is_active, 'isOnSale', w.is_on_sale,
      'stock', CASE w.delivery WHEN 'code' THEN (SELECT count(*) FROM codes c WHERE c.product_id = w.id AND ${IS_FREE_CODE}) END,
      'sales', (SELECT count(*) FROM entitlements e WHERE e.product_id = w.id AND ${IS_COUNTED}),
      'isKept', EXISTS (SELECT FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.product_id = w.id AND o.status <> 'failed')
        OR EXISTS (SELECT FROM codes c WHERE c.product_id = w.id AND c.state <> 'void') OR EXISTS (SELECT FROM bundle_parts k WHERE k.product_id = w.id)
      ) ORDER BY w.variant_position, w.id), '[]')
    FROM products w WHERE w.variant_of = p.id AND w.deleted_at IS NULL)`
const PART = `json_build_object(${PART_FIELDS}, 'isOnSale', q.is_on_sale)`
const OWN_PARTS = `(SELECT coalesce(json_agg(${PART} ORDER BY k.position), '[]')
    FROM bundle_parts k JOIN products q ON q.id = k.product_id WHERE k.bundle_id = p.id)`

/** What `OwnProduct` adds to a product. */
const OWN_FIELDS = `'status', ${STATUS}, 'createdAt', ${isoOf('p.created_at')},
  'withdrawnAt', ${isoOf('p.withdrawn_at')}, 'delivery', p.delivery, 'stock', ${STOCK}, 'sales', ${SALES}, 'views', c.views`

const OWN = `products p JOIN product_counts c ON c.product_id = p.id`

/** `key` is what a cursor holds; `by` is what the rows are sorted by, if it differs. */
type Sort = { key: string; by?: string; after?: string; kind: KeyKind; direction: 'ASC' | 'DESC' }

// An index leads from the first to the last of each, except of 'rating' and 'stock'. Sales of the last seconds count when the job has
// added them.
const SORTS: Record<OwnSort, Sort> = {
  newest: { key: CREATED, by: 'p.created_at', after: momentOf('$3'), kind: 'number', direction: 'DESC' },
  sales: { key: 'c.sales', kind: 'number', direction: 'DESC' },
  views: { key: 'c.views', kind: 'number', direction: 'DESC' },
  rating: { key: 'p.rated', kind: 'number', direction: 'DESC' },
  price: { key: 'p.price_cents', kind: 'number', direction: 'DESC' },
  // what never runs out comes last
  stock: { key: `coalesce(${STOCK}, 9007199254740991)`, kind: 'number', direction: 'ASC' },
  title: { key: 'lower(p.title)', kind: 'text', direction: 'ASC' },
}

type OwnProductsQuery = Input<typeof listOwnProducts>

export async function readOwnProducts(pool: pg.Pool, sellerId: string, asked: OwnProductsQuery): Promise<JsonText> {
  const { q = '', status = null, sort = 'newest', limit = MANY_OWN, after } = asked
  const [key = null, id = null] = readCursor(after, `own-${sort}`, [SORTS[sort].kind, 'id'])
  const { all, some } = READS[sort]
  const [page] =
    q === '' && status === null
      ? await all(pool, sellerId, limit, key, id)
      : await some(pool, sellerId, limit, key, id, q, status)
  return asPage(page!, `own-${sort}`, '/api/account/products', { ...asked, limit })
}

type Values = [sellerId: string, limit: unknown, key: unknown, id: unknown]

/** Without a filter the number of products comes from the index alone. */
const readSorted = (sort: OwnSort, isFiltered: boolean) => {
  const { key, by = key, kind, after = `$3::${kind === 'text' ? 'text' : 'bigint'}`, direction } = SORTS[sort]
  // the columns of the index that leads to them
  const [seller, id] = by.startsWith('c.') ? ['c.seller_id', 'c.product_id'] : ['p.seller_id', 'p.id']
  const files = isFiltered ? 'LEFT JOIN product_files f ON f.id = p.file_id' : ''
  const filter = isFiltered
    ? `AND ($6::text IS NULL OR ${STATUS} = $6)
        AND ($5 = '' OR strpos(fold_text(p.title || ' ' || coalesce(f.file_name, '')), fold_text($5)) > 0)`
    : ''
  return statement<Page, [...Values, ...filters: unknown[]]>(
    `own_products_${sort}${isFiltered ? '_some' : ''}`,
    `WITH page AS MATERIALIZED (
      SELECT p.id, ${key} AS key, row_number() OVER (ORDER BY ${by} ${direction}, ${id} ${direction}) AS n
      FROM ${OWN} ${files}
      WHERE ${seller} = $1 AND p.deleted_at IS NULL AND p.variant_of IS NULL ${filter}
        AND ($4::uuid IS NULL OR (${by}, ${id}) ${direction === 'ASC' ? '>' : '<'} (${after}, $4))
      ORDER BY ${by} ${direction}, ${id} ${direction} LIMIT $2::int + 1)
    SELECT coalesce(json_agg(json_build_object(${BRIEF_FIELDS}, ${OWN_FIELDS}) ORDER BY n) FILTER (WHERE n <= $2), '[]')::text AS json,
      CASE WHEN count(*) > $2 THEN max(json_build_array(page.key, p.id)::text) FILTER (WHERE n = $2) END AS next,
      (SELECT count(*) FROM products p ${files} WHERE p.seller_id = $1 AND p.deleted_at IS NULL AND p.variant_of IS NULL ${filter}) AS total
    FROM page JOIN products p USING (id) JOIN product_counts c ON c.product_id = p.id`,
  )
}

const both = (sort: OwnSort) => ({ all: readSorted(sort, false), some: readSorted(sort, true) })

const READS = {
  newest: both('newest'),
  sales: both('sales'),
  views: both('views'),
  rating: both('rating'),
  price: both('price'),
  stock: both('stock'),
  title: both('title'),
}

/** Throws a Failure 404 unless the product is the seller's. */
export async function readOwnProduct(pool: pg.Pool, sellerId: string, id: string): Promise<JsonText> {
  const [product] = await readOne(pool, sellerId, id)
  if (!product) throw new Failure(404, 'Product not found')
  return asJson(product.json)
}

const readOne = statement<{ json: string }, [sellerId: string, id: string]>(
  'own_product',
  `SELECT json_build_object(${PRODUCT_FIELDS}, ${OWN_FIELDS}, 'version', p.version, 'isSold', ${IS_SOLD}, 'stampsPdf', p.stamps_pdf, 'isTakenDown', p.taken_down IS NOT NULL, 'updatedAt', ${isoOf('p.updated_at')},
    'files', (SELECT coalesce(json_agg(json_build_object('id', f.id, 'name', f.file_name, 'sizeBytes', f.size_bytes,
        'addedAt', ${isoOf('f.created_at')}, 'isPdf', f.content_type = 'application/pdf', 'isChecked', f.checked_at IS NOT NULL, 'isProgram', f.is_program) ORDER BY s.n), '[]')
      FROM unnest(p.file_id || p.more_file_ids) WITH ORDINALITY s (id, n) JOIN product_files f ON f.id = s.id AND f.product_id = p.id),
    'bundles', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'title', b.title) ORDER BY lower(b.title)), '[]')
      FROM bundle_parts k JOIN products b ON b.id = k.bundle_id AND b.deleted_at IS NULL WHERE k.product_id = p.id),
    'variants', ${OWN_VARIANTS}, 'parts', ${OWN_PARTS},
    'variantOf', (SELECT json_build_object('id', o.id, 'title', o.title, 'name', p.variant_name) FROM products o WHERE o.id = p.variant_of),
    'asked', (SELECT json_build_object('question', question, 'answerBy', ${isoOf('answer_by')}, 'answer', answer)
      FROM report_cases WHERE product_id = p.id AND review_id IS NULL AND decision IS NULL AND question IS NOT NULL))::text AS json
  FROM ${OWN}
  WHERE p.id = $2 AND p.seller_id = $1 AND p.deleted_at IS NULL`,
)

/** What may be a part of a bundle, as JSON. */
export const readParts = async (pool: pg.Pool, sellerId: string): Promise<JsonText> =>
  asJson((await readFitting(pool, sellerId))[0]!.json)

const readFitting = statement<{ json: string }, [sellerId: string]>(
  'own_parts',
  `SELECT coalesce(json_agg(${PART} ORDER BY q.is_on_sale DESC, lower(q.title), q.id), '[]')::text AS json
  FROM (SELECT * FROM products q WHERE q.seller_id = $1 AND q.deleted_at IS NULL AND q.delivery <> 'bundle' AND NOT q.has_variants
    ORDER BY q.is_on_sale DESC, lower(q.title), q.id LIMIT 500) q`,
)
