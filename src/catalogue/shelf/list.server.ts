import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import type { Sort } from '../catalogue.contract.ts'
import { asPage, type KeyKind, type Page, readCursor } from './cursor.server.ts'
import { CREATED, momentOf, PRODUCT_FIELDS, RATED, STARS } from '../product.sql.server.ts'
import { type Query, queryOf, wordsOf } from './search.rules.ts'

// One prepared statement reads a page: its products, its cursor and the total.

const MANY = 60

type Order = Sort | 'mixed' | 'relevance'
type Shelf = {
  /** Sort keys of `products AS p`. With the direction they are the columns of an index, except 'mixed' and 'rating'. */
  keys: string[]
  kinds: KeyKind[]
  direction: 'ASC' | 'DESC'
}

const FEATURED = 'coalesce(-p.featured_rank, -2147483647)'

const SHELVES: Record<Order, Shelf> = {
  // by rank, then newest first
  featured: { keys: [FEATURED, 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
  // the same, with the categories in turn
  mixed: {
    keys: [FEATURED, 'p.turn', 'p.created_at', 'p.id'],
    kinds: ['number', 'number', 'number', 'id'],
    direction: 'DESC',
  },
  newest: { keys: ['p.created_at', 'p.id'], kinds: ['number', 'id'], direction: 'DESC' },
  'price-asc': { keys: ['p.price_cents', 'p.id'], kinds: ['number', 'id'], direction: 'ASC' },
  'price-desc': { keys: ['p.price_cents', 'p.id'], kinds: ['number', 'id'], direction: 'DESC' },
  rating: { keys: [RATED, 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
  title: { keys: ['lower(p.title)', 'p.id'], kinds: ['text', 'id'], direction: 'ASC' },
  relevance: { keys: ['p.score', 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
}

const TURNS = `-row_number() OVER (PARTITION BY p.category_id ORDER BY ${FEATURED} DESC, p.created_at DESC, p.id DESC) AS turn`

export type Asked = {
  categoryId?: string
  q?: string
  sort?: Sort
  price?: string
  stars?: number
  limit?: number
  after?: string
}

/** With `isAny` a search also finds products with one of its words. */
export async function readProducts(pool: pg.Pool, asked: Asked, { isAny = false } = {}): Promise<JsonText> {
  const { categoryId, price, stars, limit = MANY, after } = asked
  const q = asked.q || undefined
  if (q && wordsOf(q).length === 0) return asJson('[]', { 'x-total-count': '0' })
  const given = asked.sort ?? (q ? 'relevance' : 'featured')
  const order = given === 'featured' && !categoryId && !q ? 'mixed' : given
  const { keys, kinds, direction } = SHELVES[order]
  const skipped = readCursor(after, order, kinds)

  const values: unknown[] = [limit]
  const next = (value: unknown) => `$${values.push(value)}`
  const parts = [order, categoryId && 'category', price && 'price', stars && 'stars', q && 'search', after && 'after']
  const [from, to] = (price ?? '').split('-').map((dollars) => dollars && Number(dollars) * 100)
  const filters = [
    categoryId && `AND p.category_id = ${next(categoryId)}`,
    price &&
      `AND p.price_cents BETWEEN ${next(from)} AND ${next(to === '' ? Number.MAX_SAFE_INTEGER : Number(to) - 1)}`,
    stars && `AND ${STARS} >= ${next(stars)}`,
  ]
    .filter(Boolean)
    .join(' ')
  const listed = `products p WHERE p.is_listed ${filters}`
  const search = q ? searchText(queryOf(q, { isAny }), next, filters) : ''
  const mixed = `(SELECT p.id, p.featured_rank, p.created_at, ${TURNS} FROM ${listed}) p WHERE true`
  const source = q ? 'found p WHERE true' : order === 'mixed' ? mixed : listed
  const orderBy = keys.map((key) => `${key} ${direction}`).join(', ')
  const passed = skipped.map((value, i) => readKey(keys[i]!, kinds[i]!, next(value))).join(', ')
  const later = after ? `AND (${keys.join(', ')}) ${direction === 'ASC' ? '>' : '<'} (${passed})` : ''
  const cursor = keys.map((key) => (key === 'p.created_at' ? CREATED : key)).join(', ')
  const run = statement<Page, unknown[]>(
    `list_${parts.filter(Boolean).join('_')}`,
    `WITH ${search}
    hits AS MATERIALIZED (SELECT p.* FROM ${source} ${later} ORDER BY ${orderBy} LIMIT $1::int + 1),
    page AS (
      SELECT p.id, json_build_array(${cursor})::text AS cursor, row_number() OVER (ORDER BY ${orderBy}) AS n FROM hits p)
    SELECT coalesce(json_agg(json_build_object(${PRODUCT_FIELDS}) ORDER BY n) FILTER (WHERE n <= $1), '[]')::text AS json,
      CASE WHEN count(*) > $1 THEN max(cursor) FILTER (WHERE n = $1) END AS next,
      (SELECT count(*) FROM ${q ? source : listed}) AS total
    FROM page JOIN ${source === listed ? 'hits' : 'products'} p USING (id)`,
  )
  const [page] = await run(pool, ...values)
  return asPage(page!, order, '/api/products', asked)
}

function readKey(key: string, kind: KeyKind, value: string): string {
  if (key === 'p.created_at') return momentOf(value)
  return `${value}::${{ number: 'bigint', text: 'text', id: 'uuid' }[kind]}`
}

/**
 * Finds by words and starts of words. The best match has the title that was typed. Then come products with all words in
 * the title, in title or category, as synonyms there, and as starts in the title; of one kind those with more weight.
 */
function searchText(query: Query, next: (value: unknown) => string, filters: string): string {
  const parsed = (language: string, text: string) => `to_tsquery('${language}', ${text}::text)`
  const [starts, ...ranks] = [query.starts, query.title, query.named, query.alike, query.titleStarts].map(next)
  const score = ranks.map((_, i) => `${2 ** (ranks.length - i)} * (p.search @@ a.rank_${i})::int`).join(' + ')
  // carries every sort key along, so that only the products of the page are read again
  return `asked AS MATERIALIZED (
      SELECT websearch_to_tsquery('english', ${next(query.written)}::text)
          || ${parsed('english', starts!)} || ${parsed('simple', starts!)} AS words,
        ${ranks.map((text, i) => `${parsed('english', text)} AS rank_${i}`).join(', ')}),
    found AS MATERIALIZED (
      SELECT p.id, p.created_at, p.featured_rank, p.price_cents, p.title,
        (((lower(p.title) = ${next(query.plain)}::text)::int * ${2 ** (ranks.length + 1)} + ${score}
          + ts_rank('{0.02, 0.1, 0.3, 1}', p.search, a.words)) * 100000)::int AS score
      FROM asked a, products p WHERE p.search @@ a.words AND p.is_listed ${filters}),`
}
