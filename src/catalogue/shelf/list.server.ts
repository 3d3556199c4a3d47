import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import type { Sort } from '../catalogue.contract.ts'
import { asPage, type KeyKind, type Page, readCursor } from './cursor.server.ts'
import { CREATED, momentOf, PRODUCT_FIELDS } from '../product.sql.server.ts'
import { hasWords, prefixQuery, respeltQuery } from './search.rules.ts'

// One prepared statement reads a page: its products, its cursor and the total.

const MANY = 60

type Order = Sort | 'relevance'
type Shelf = {
  /** Sort keys of `products AS p`. With the direction they are the columns of an index. */
  keys: string[]
  kinds: KeyKind[]
  direction: 'ASC' | 'DESC'
}

const FEATURED = 'coalesce(-p.featured_rank, -2147483647)'

const SHELVES: Record<Order, Shelf> = {
  // by rank, then newest first
  featured: { keys: [FEATURED, 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
  newest: { keys: ['p.created_at', 'p.id'], kinds: ['number', 'id'], direction: 'DESC' },
  'price-asc': { keys: ['p.price_cents', 'p.id'], kinds: ['number', 'id'], direction: 'ASC' },
  'price-desc': { keys: ['p.price_cents', 'p.id'], kinds: ['number', 'id'], direction: 'DESC' },
  title: { keys: ['lower(p.title)', 'p.id'], kinds: ['text', 'id'], direction: 'ASC' },
  relevance: { keys: ['p.score', 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
}

export type Asked = { categoryId?: string; q?: string; sort?: Sort; limit?: number; after?: string }

export async function readProducts(pool: pg.Pool, asked: Asked): Promise<JsonText> {
  const { categoryId, limit = MANY, after } = asked
  const q = asked.q || undefined
  if (q && !hasWords(q)) return asJson('[]', { 'x-total-count': '0' })
  const order = asked.sort ?? (q ? 'relevance' : 'featured')
  const keys = readCursor(after, order, SHELVES[order].kinds)
  const kind = { hasCategory: Boolean(categoryId), isSearch: Boolean(q), isLater: keys.length > 0 }
  const name = ['list', order, categoryId && 'category', q && 'search', kind.isLater && 'after']
    .filter(Boolean)
    .join('_')
  const run = statement<Page, unknown[]>(name, textOf(order, kind))
  const values = [
    limit,
    ...(categoryId ? [categoryId] : []),
    ...(q ? [q, prefixQuery(q), respeltQuery(q)] : []),
    ...keys,
  ]
  const [page] = await run(pool, ...values)
  return asPage(page!, order, '/api/products', asked)
}

type Kind = { hasCategory: boolean; isSearch: boolean; isLater: boolean }
/** Parameters: the limit, then by kind the category, the search in its three forms, and the keys to skip. */
function textOf(order: Order, { hasCategory, isSearch, isLater }: Kind): string {
  const { keys, kinds, direction } = SHELVES[order]
  let last = 1
  const next = () => `$${++last}`
  const category = hasCategory ? `AND p.category_id = ${next()}` : ''
  const search = isSearch ? searchText([next(), next(), next()], category) : ''
  const from = isSearch ? 'found p WHERE true' : `products p WHERE p.is_listed ${category}`
  const orderBy = keys.map((key) => `${key} ${direction}`).join(', ')
  const passed = keys.map((key, i) => readKey(key, kinds[i]!, next)).join(', ')
  const later = isLater ? `AND (${keys.join(', ')}) ${direction === 'ASC' ? '>' : '<'} (${passed})` : ''
  const cursor = keys.map((key) => (key === 'p.created_at' ? CREATED : key)).join(', ')
  return `WITH ${search}
    hits AS MATERIALIZED (SELECT p.* FROM ${from} ${later} ORDER BY ${orderBy} LIMIT $1::int + 1),
    page AS (
      SELECT p.id, json_build_array(${cursor})::text AS cursor, row_number() OVER (ORDER BY ${orderBy}) AS n FROM hits p)
    SELECT coalesce(json_agg(json_build_object(${PRODUCT_FIELDS}) ORDER BY n) FILTER (WHERE n <= $1), '[]')::text AS json,
      CASE WHEN count(*) > $1 THEN max(cursor) FILTER (WHERE n = $1) END AS next,
      (SELECT count(*) FROM ${from}) AS total
    FROM page JOIN ${isSearch ? 'products' : 'hits'} p USING (id)`
}

function readKey(key: string, kind: KeyKind, next: () => string): string {
  if (key === 'p.created_at') return momentOf(next())
  return `${next()}::${{ number: 'bigint', text: 'text', id: 'uuid' }[kind]}`
}

/** Words by stem, the last by prefix, titles first; without results swapped letters, then similar titles. */
function searchText([q, prefix, respelt]: [string, string, string], category: string): string {
  // carries every sort key along, so that only the products of the page are read again
  const columns = 'p.id, p.created_at, p.featured_rank, p.price_cents, p.title'
  const matches = (
    words: string,
  ) => `SELECT ${columns}, (ts_rank('{0, 0, 0.01, 1}', p.search, words) * 1000000)::int AS score
      FROM ${words}, products p WHERE p.search @@ words AND p.is_listed ${category}`
  return `asked AS MATERIALIZED (
      SELECT websearch_to_tsquery('english', ${q}::text) || to_tsquery('english', ${prefix}::text) AS words),
    said AS MATERIALIZED (
      SELECT CASE WHEN numnode(words) > 0 THEN words ELSE to_tsquery('simple', ${prefix}::text) END AS words FROM asked),
    meant AS MATERIALIZED (SELECT to_tsquery('english', ${respelt}::text) AS words),
    exact AS MATERIALIZED (${matches('said')}),
    swapped AS MATERIALIZED (${matches('meant')} AND NOT EXISTS (SELECT FROM exact)),
    alike AS MATERIALIZED (
      SELECT ${columns}, t.score FROM find_titles_like(${q}::text) t JOIN products p USING (id)
      WHERE NOT EXISTS (SELECT FROM exact) AND NOT EXISTS (SELECT FROM swapped) ${category}),
    found AS (SELECT * FROM exact UNION ALL SELECT * FROM swapped UNION ALL SELECT * FROM alike),`
}
