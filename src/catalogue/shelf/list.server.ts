import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import type pg from 'pg'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { queryTogether } from '../../kit/prepared.server.ts'
import { only } from '../../kit/values/required.ts'
import { MAX_COUNTED, type Sort } from '../catalogue.contract.ts'
import type { KindName } from '../kinds.rules.ts'
import { asPage, type KeyKind, type Keys, type Page, readCursor } from './cursor.server.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { centsOf } from './range.rules.ts'
import { type Breadth, BROAD, type Filters, MAX_RANKED, matchAll, rank } from './ranking.server.ts'
import { partsOf, queryOf, wordsOf } from './search.rules.ts'

// One prepared statement reads a page: products, cursor and total. Its text depends on the filters.

const MANY = 60

/** Compiles the statements. They run on the pool, which pipelines them. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

type Sql = RawBuilder<unknown>
type Order = Sort | 'mixed' | 'relevance'
/** A sort key of `products AS p`. */
type Key = { by: Sql; kind: KeyKind; isMoment?: boolean }
/** An index has the keys in this direction as columns, except for 'mixed'. */
type Shelf = { keys: Key[]; direction: 'ASC' | 'DESC' }

const UNFEATURED = -2147483647
const FEATURED = sql`coalesce(-p.featured_rank, ${sql.lit(UNFEATURED)})`

const numbers = (by: Sql): Key => ({ by, kind: 'number' })
const RANK = numbers(FEATURED)
const MADE: Key = { by: sql`p.created_at`, kind: 'number', isMoment: true }
const PRICE = numbers(sql`p.price_cents`)
const ID: Key = { by: sql`p.id`, kind: 'id' }

const SHELVES: Record<Order, Shelf> = {
  // by rank, then newest first
  featured: { keys: [RANK, MADE, ID], direction: 'DESC' },
  // by rank, then the categories in turn
  mixed: { keys: [RANK, numbers(sql`p.turn`), MADE, ID], direction: 'DESC' },
  popular: { keys: [numbers(sql`p.recent_buyers`), MADE, ID], direction: 'DESC' },
  newest: { keys: [MADE, ID], direction: 'DESC' },
  'price-asc': { keys: [PRICE, ID], direction: 'ASC' },
  'price-desc': { keys: [PRICE, ID], direction: 'DESC' },
  rating: { keys: [numbers(sql`p.rated`), MADE, ID], direction: 'DESC' },
  title: { keys: [{ by: sql`lower(p.title)`, kind: 'text' }, ID], direction: 'ASC' },
  relevance: { keys: [numbers(sql`p.score`), MADE, ID], direction: 'DESC' },
}

export type ListQuery = {
  categoryId?: string
  /** The current or a former address of a seller. */
  seller?: string
  q?: string
  sort?: Sort
  price?: string
  stars?: number
  kind?: KindName
  /** 'any' includes sold-out products. */
  stock?: 'any'
  limit?: number
  after?: string
}

/** With `isAny` a search also finds products with one of its words. */
export async function readProducts(pool: pg.Pool, given: ListQuery, { isAny = false } = {}): Promise<JsonText> {
  const read = readPrice(given.q ?? '')
  const asked = { ...given, q: read.words }
  if (read.words && wordsOf(read.words).length === 0) return asJson('[]', { 'x-total-count': '0' })
  const search = { isAny, price: read.price, exactCents: read.exactCents }
  const [page, order] = await readPage(pool, asked, search, 'few')
  const answer = (page: Page) => asPage(page, order, '/api/products', given)
  if (read.words && page.total === 0 && !isAny && partsOf(read.words).length > 0)
    return answer((await readPage(pool, asked, { ...search, isInside: true }, 'few'))[0])
  const isMany = order === 'relevance' && page.total > MAX_RANKED
  if (!isMany) return answer(page)
  return answer((await readPage(pool, asked, search, page.total === BROAD ? 'broad' : 'many'))[0])
}

/** `isInside` also finds parts of words. `price` and `exactCents` come from the search text. */
type How = { isAny: boolean; isInside?: boolean; price: string | null; exactCents: number | null }

async function readPage(pool: pg.Pool, asked: ListQuery, how: How, breadth: Breadth): Promise<[Page, Order]> {
  const { limit = MANY, after } = asked
  const order = orderOf(asked)
  const { keys, direction } = SHELVES[order]
  const kinds = keys.map((key) => key.kind)
  const skipped = readCursor(after, order, kinds)
  const filters = filtersOf(asked, how)
  const listed = listedOf(asked, filters)
  const isDescending = direction === 'DESC'
  const way = isDescending ? sql`DESC` : sql`ASC`
  const columns = sql.join(keys.map(({ by }) => by))
  const orderBy = sql.join(keys.map(({ by }) => sql`${by} ${way}`))
  const passed = sql.join(skipped.map((value, i) => readKey(keys[i], value)))
  const later = after ? sql`AND (${columns}) ${isDescending ? sql`<` : sql`>`} (${passed})` : sql``
  const cursor = sql.join(keys.map(({ by, isMoment }) => (isMoment ? sql`micros_of(${by})` : by)))
  const source = asked.q
    ? sql`found p WHERE true`
    : order === 'mixed'
      ? sql`${turnsOf(skipped, limit, filters.all)} p WHERE true`
      : listed
  const { sql: text, parameters } = sql`WITH ${searchOf(asked, how, filters, order, breadth)}
    hits AS MATERIALIZED (SELECT p.* FROM ${source} ${later} ORDER BY ${orderBy} LIMIT ${limit}::int + 1),
    page AS (
      SELECT p.id, json_build_array(${cursor})::text AS cursor, row_number() OVER (ORDER BY ${orderBy}) AS n FROM hits p)
    SELECT coalesce(json_agg(c ORDER BY n) FILTER (WHERE n <= ${limit}::int), '[]')::text AS json,
      CASE WHEN count(*) > ${limit}::int THEN max(cursor) FILTER (WHERE n = ${limit}::int) END AS next,
      (${totalOf(asked, how, listed)}) AS total
    FROM page CROSS JOIN LATERAL (SELECT * FROM listed_card l WHERE l.id = page.id OFFSET 0) c`.compile(compiler)
  const isBehind = order === 'mixed' && skipped[0] === UNFEATURED
  const name = statementName(asked, how, order, isBehind, breadth)
  const { rows } = await queryTogether<Page>(pool, { name, text, values: [...parameters] })
  return [only(rows), order]
}

function orderOf({ sort, q, categoryId, seller, stock }: ListQuery): Order {
  const order = sort ?? (q ? 'relevance' : 'featured')
  return order === 'featured' && !categoryId && !seller && !q && !stock ? 'mixed' : order
}

const hasFilter = ({ price, stars, seller, kind, stock }: ListQuery, how: How) =>
  Boolean(price || how.price || stars || seller || kind || stock)

/** Each statement text needs its own name. */
function statementName(asked: ListQuery, how: How, order: Order, isBehind: boolean, breadth: Breadth): string {
  const parts = [
    order,
    isBehind && 'behind',
    asked.categoryId && 'category',
    asked.seller && 'seller',
    (asked.price || how.price) && 'price',
    asked.stars && 'stars',
    asked.kind && 'kind',
    asked.stock && 'stock',
    asked.q && (how.isInside ? 'inside' : breadth === 'few' ? 'search' : breadth),
    asked.after && 'after',
  ]
  return `list_${parts.filter(Boolean).join('_')}`
}

function listedOf({ seller }: ListQuery, filters: Filters): Sql {
  const ofShop = sql`products p WHERE ${filters.all}`
  // OFFSET 0 makes PostgreSQL read the seller's products; the sort index would read those of all sellers
  return seller ? sql`(SELECT * FROM ${ofShop} OFFSET 0) p WHERE true` : ofShop
}

function searchOf(asked: ListQuery, how: How, filters: Filters, order: Order, breadth: Breadth): Sql {
  const { q, after } = asked
  if (!q) return sql``
  const query = { ...queryOf(q, how), parts: how.isInside ? partsOf(q) : null, exactCents: how.exactCents }
  if (order !== 'relevance') return matchAll(query, filters)
  return rank(query, { ...filters, breadth, isWhole: after !== undefined, mayBeBroad: !hasFilter(asked, how) })
}

function totalOf(asked: ListQuery, how: How, listed: Sql): Sql {
  if (asked.q) return sql`SELECT total FROM size`
  if (!hasFilter(asked, how)) return countListed(asked.categoryId)
  return sql`SELECT count(*) FROM (SELECT FROM ${listed} LIMIT ${sql.lit(MAX_COUNTED)}) counted`
}

function filtersOf({ categoryId, seller, stars, kind, stock, ...asked }: ListQuery, how: How): Filters {
  const [from = 0, most = 0] = both(centsOf(asked.price ?? '0-'), centsOf(how.price ?? '0-'))
  const filters = [
    ...(categoryId ? [sql`p.category_id = ${categoryId}`] : []),
    ...(seller ? [sql`p.seller_id = (SELECT user_id FROM seller_handles WHERE handle = ${seller})`] : []),
    ...(asked.price || how.price
      ? [sql`p.price_cents BETWEEN ${from} AND ${Math.min(most, Number.MAX_SAFE_INTEGER)}`]
      : []),
    ...(stars ? [sql`p.rated >= ${stars * 10_000_000}`] : []),
    ...(kind ? [sql`p.delivery = ${kind}`] : []),
  ]
  const shown = stock
    ? sql`p.is_shown AND (p.is_listed OR (SELECT s.is_sold_out FROM product_standing s WHERE s.id = p.id))`
    : sql`p.is_listed`
  return { all: sql.join([shown, ...filters], sql` AND `), isPlain: !stock && filters.length === 0 }
}

const both = (one: number[], other: number[]) => [
  Math.max(one[0] ?? 0, other[0] ?? 0),
  Math.min(one[1] ?? Infinity, other[1] ?? Infinity),
]

const TYPES: Record<KeyKind, Sql> = { number: sql`bigint`, text: sql`text`, id: sql`uuid` }

const readKey = (key: Key | undefined, value: string | number) =>
  key?.isMoment ? sql`moment_of(${value}::bigint)` : sql`${value}::${TYPES[key?.kind ?? 'number']}`

/** Triggers of the catalogue maintain the counts. */
const countListed = (categoryId: string | undefined) =>
  sql`SELECT coalesce(sum(count), 0)::int FROM listed_products ${categoryId ? sql`WHERE category_id = ${categoryId}` : sql``}`

/**
 * Products with their position in their category, at most one page of each category. A cursor after the featured
 * products contains the position to continue from; featured products before it do not count.
 */
function turnsOf([featured, turn]: Keys, limit: number, filters: Sql) {
  const isBehind = featured === UNFEATURED
  // ranks are unique and start at 1
  const passed = isBehind ? 1 : Math.min(Math.max(0, -Number(featured ?? 0)), 1e9)
  const shelf = sql`${FEATURED} DESC, p.created_at DESC, p.id DESC`
  const featuredToo = isBehind ? sql`+ (SELECT count(*) FROM products f WHERE f.featured_rank IS NOT NULL)` : sql``
  const turns = isBehind ? Math.max(0, -Number(turn) - 1) : 0
  return sql`(SELECT p.* FROM categories c CROSS JOIN LATERAL (
    SELECT p.id, p.featured_rank, p.created_at, -row_number() OVER (ORDER BY ${shelf}) AS turn
    FROM products p WHERE p.category_id = c.id AND ${filters}
    ORDER BY ${shelf} OFFSET ${turns}::bigint LIMIT ${limit + 1 + passed}::int ${featuredToo}) p)`
}
