import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { MOST_COUNTED, type Sort } from '../catalogue.contract.ts'
import { asPage, type KeyKind, type Keys, type Page, readCursor } from './cursor.server.ts'
import { CREATED, momentOf, PRODUCT_FIELDS } from '../product.sql.server.ts'
import { type Query, queryOf, wordsOf } from './search.rules.ts'

// One prepared statement reads a page: its products, its cursor and the total.

const MANY = 60

type Order = Sort | 'mixed' | 'relevance'
type Shelf = {
  /** Sort keys of `products AS p`. With the direction they are the columns of an index, except 'mixed'. */
  keys: string[]
  kinds: KeyKind[]
  direction: 'ASC' | 'DESC'
}

const UNFEATURED = -2147483647
const FEATURED = `coalesce(-p.featured_rank, ${UNFEATURED})`

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
  rating: { keys: ['p.rated', 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
  title: { keys: ['lower(p.title)', 'p.id'], kinds: ['text', 'id'], direction: 'ASC' },
  relevance: { keys: ['p.score', 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
}

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
  if (asked.q && wordsOf(asked.q).length === 0) return asJson('[]', { 'x-total-count': '0' })
  const [page, order] = await readPage(pool, asked, { isAny, isMany: false })
  const isRanked = order !== 'relevance' || page.total <= MOST_RANKED
  return asPage(
    isRanked ? page : (await readPage(pool, asked, { isAny, isMany: true }))[0],
    order,
    '/api/products',
    asked,
  )
}

/** A ranked search with more matches than MOST_RANKED reads its page again with `isMany`: few need the long statement. */
async function readPage(
  pool: pg.Pool,
  asked: Asked,
  { isAny, isMany }: { isAny: boolean; isMany: boolean },
): Promise<[Page, Order]> {
  const { categoryId, price, stars, limit = MANY, after } = asked
  const q = asked.q || undefined
  const given = asked.sort ?? (q ? 'relevance' : 'featured')
  const order = given === 'featured' && !categoryId && !q ? 'mixed' : given
  const { keys, kinds, direction } = SHELVES[order]
  const skipped = readCursor(after, order, kinds)

  const values: unknown[] = [limit]
  const next = (value: unknown) => `$${values.push(value)}`
  const parts = [
    order,
    order === 'mixed' && skipped[0] === UNFEATURED && 'behind',
    categoryId && 'category',
    price && 'price',
    stars && 'stars',
    q && (isMany ? 'many' : 'search'),
    after && 'after',
  ]
  const [from, to] = (price ?? '').split('-').map((dollars) => dollars && Number(dollars) * 100)
  const filters = [
    categoryId && `AND p.category_id = ${next(categoryId)}`,
    price &&
      `AND p.price_cents BETWEEN ${next(from)} AND ${next(to === '' ? Number.MAX_SAFE_INTEGER : Number(to) - 1)}`,
    stars && `AND p.rated >= ${next(stars * 10_000_000)}`,
  ]
    .filter(Boolean)
    .join(' ')
  const listed = `products p WHERE p.is_listed ${filters}`
  const query = q && queryOf(q, { isAny })
  const search = !query
    ? ''
    : order === 'relevance'
      ? rankedText(query, next, filters, { isMany, isWhole: after !== undefined })
      : matchesText(query, next, filters)
  const mixed = order === 'mixed' ? `${turnsText(skipped, limit, next, filters)} p WHERE true` : ''
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
      (${q ? 'SELECT total FROM size' : price || stars ? `SELECT count(*) FROM ${listed}` : totalText(categoryId && next(categoryId))}) AS total
    FROM page JOIN ${source === listed ? 'hits' : 'products'} p USING (id)`,
  )
  const [page] = await run(pool, ...values)
  return [page!, order]
}

function readKey(key: string, kind: KeyKind, value: string): string {
  if (key === 'p.created_at') return momentOf(value)
  return `${value}::${{ number: 'bigint', text: 'text', id: 'uuid' }[kind]}`
}

/** The triggers of the catalogue keep the counts. */
const totalText = (category?: string) =>
  `SELECT coalesce(sum(count), 0)::int FROM listed_products ${category ? `WHERE category_id = ${category}` : ''}`

/**
 * The products with their turn in their category, as many of each category as the page may show. A cursor behind the
 * featured products names the turn where each category goes on; the featured products there do not count for the page.
 */
function turnsText([featured, turn]: Keys, limit: number, next: Next, filters: string): string {
  const isBehind = featured === UNFEATURED
  // ranks are unique and start at 1
  const passed = isBehind ? 1 : Math.min(Math.max(0, -Number(featured ?? 0)), 1e9)
  const shelf = `${FEATURED} DESC, p.created_at DESC, p.id DESC`
  const featuredToo = isBehind ? '+ (SELECT count(*) FROM products f WHERE f.featured_rank IS NOT NULL)' : ''
  return `(SELECT p.* FROM categories c CROSS JOIN LATERAL (
    SELECT p.id, p.featured_rank, p.created_at, -row_number() OVER (ORDER BY ${shelf}) AS turn
    FROM products p WHERE p.is_listed AND p.category_id = c.id ${filters}
    ORDER BY ${shelf} OFFSET ${next(isBehind ? Math.max(0, -Number(turn) - 1) : 0)}::bigint LIMIT ${next(limit + 1 + passed)}::int ${featuredToo}) p)`
}

/** Above this many matches a search ranks the newest, and those whose title has the words or starts of them. */
const MOST_RANKED = 300
const MOST_TITLES = 500

type Next = (value: unknown) => string

/** A search in the order of another key: all matches with every sort key. */
const matchesText = (query: Query, next: Next, filters: string) => `${askedText(query, next)},
  found AS MATERIALIZED (
    SELECT p.id, p.created_at, p.featured_rank, p.price_cents, p.rated, p.title ${matching(filters)}),
  size AS MATERIALIZED (SELECT least(count(*), ${MOST_COUNTED}) AS total FROM found),`

const askedText = (query: Query, next: Next) => `asked AS MATERIALIZED (
    SELECT websearch_to_tsquery('english', ${next(query.written)}::text) || search_starts(${next(query.starts)}::text) AS words)`

const matching = (filters: string) => `FROM asked a, products p WHERE p.search @@ a.words AND p.is_listed ${filters}`

/**
 * Finds by words and starts of words. The best match has the title that was typed. Then come products with all words in
 * the title, in title or category, as synonyms there, and as starts in the title; of one kind those with more weight.
 * With `isWhole` the matches that are not ranked follow, newest first.
 */
function rankedText(
  query: Query,
  next: Next,
  filters: string,
  { isMany, isWhole }: { isMany: boolean; isWhole: boolean },
): string {
  const asked = askedText(query, next)
  const parsed = (text: string) => `to_tsquery('english', ${next(text)}::text)`
  const tiers = [query.title, query.named, query.alike, query.titleStarts].map((text) => `(${parsed(text)})`)
  const score = tiers.map((_, i) => `${2 ** (tiers.length - i)} * (p.search @@ t.tier_${i})::int`).join(' + ')
  const title = `${next(query.plain)}::text`
  // `IS TRUE` keeps the index of words out, which would read all matches once more
  const among = `FROM asked a, products p WHERE p.is_listed ${filters} AND (p.search @@ a.words) IS TRUE`
  const titled = (text: string) => `
      UNION (SELECT p.ctid ${among}
        AND to_tsvector('english', plain_text(p.title)) @@ ${parsed(text.replace(/:A|(?<=:\*)A/g, ''))} LIMIT ${MOST_TITLES})`
  const more = () => `
      UNION (SELECT p.ctid ${among} AND (SELECT total FROM size) = ${MOST_COUNTED}
        ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST_RANKED})${titled(query.title)}${titled(query.titleStarts)}
      UNION (SELECT p.ctid ${among} AND lower(p.title) = ${title} LIMIT ${MOST_TITLES})`
  const rest = `UNION ALL SELECT p.id, p.created_at, -1 ${matching(filters)} AND p.ctid NOT IN (SELECT place FROM ranked)`
  return `${asked},
    matched AS MATERIALIZED (
      SELECT p.ctid AS place, p.id, p.created_at ${matching(filters)} LIMIT ${isMany ? MOST_COUNTED : MOST_RANKED + 1}),
    size AS MATERIALIZED (SELECT count(*) AS total FROM matched),
    ranked AS MATERIALIZED (
      (SELECT place FROM matched ${isMany ? `WHERE (SELECT total FROM size) < ${MOST_COUNTED}` : ''} ORDER BY created_at DESC, id DESC LIMIT ${MOST_RANKED})${isMany ? more() : ''}),
    tiers AS MATERIALIZED (SELECT ${tiers.map((tier, i) => `${tier} AS tier_${i}`).join(', ')}),
    found AS MATERIALIZED (
      SELECT p.id, p.created_at,
        (((lower(p.title) = ${title})::int * ${2 ** (tiers.length + 1)} + ${score}
          + ts_rank('{0.02, 0.1, 0.3, 1}', p.search, a.words || a.words)) * 100000)::int AS score
      FROM asked a, tiers t, ranked r JOIN products p ON p.ctid = r.place
      ${isMany && isWhole ? rest : ''}),`
}
