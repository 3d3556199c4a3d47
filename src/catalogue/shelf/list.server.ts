import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { MAX_COUNTED, type Sort } from '../catalogue.contract.ts'
import { asPage, type KeyKind, type Keys, type Page, readCursor } from './cursor.server.ts'
import type { KindName } from '../kinds.rules.ts'
import { CREATED, IS_SOLD_OUT, LISTED_FIELDS, momentOf } from '../product.sql.server.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { type Query, partsOf, queryOf, wordsOf } from './search.rules.ts'
import { centsOf } from './range.rules.ts'

// One prepared statement reads a page: its products, its cursor and the total.

const MANY = 60

type Order = Sort | 'mixed' | 'relevance'
type Shelf = {
  /** Sort keys of `products AS p`. With the direction they are the columns of an index, except 'mixed'. */
  keys: string[]
  kinds: KeyKind[]
  direction: 'ASC' | 'DESC'
}

/** What every list shows, unless it shows what has sold out too. */
const LISTED = 'p.is_listed'

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
  popular: {
    keys: ['p.recent_buyers', 'p.created_at', 'p.id'],
    kinds: ['number', 'number', 'id'],
    direction: 'DESC',
  },
  newest: { keys: ['p.created_at', 'p.id'], kinds: ['number', 'id'], direction: 'DESC' },
  'price-asc': { keys: ['p.price_cents', 'p.id'], kinds: ['number', 'id'], direction: 'ASC' },
  'price-desc': { keys: ['p.price_cents', 'p.id'], kinds: ['number', 'id'], direction: 'DESC' },
  rating: { keys: ['p.rated', 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
  title: { keys: ['lower(p.title)', 'p.id'], kinds: ['text', 'id'], direction: 'ASC' },
  relevance: { keys: ['p.score', 'p.created_at', 'p.id'], kinds: ['number', 'number', 'id'], direction: 'DESC' },
}

export type ListQuery = {
  categoryId?: string
  /** The present or a former address of a seller. */
  seller?: string
  q?: string
  sort?: Sort
  price?: string
  stars?: number
  kind?: KindName
  /** 'any' shows what has sold out too. */
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

/** How many matches a ranked search has. The statement for few says so when there are more. */
type Breadth = 'few' | 'many' | 'broad'

/** `isInside` also finds parts of words. `price` and `exactCents` come from the typed text. */
type How = { isAny: boolean; isInside?: boolean; price: string | null; exactCents: number | null }

async function readPage(pool: pg.Pool, asked: ListQuery, how: How, breadth: Breadth): Promise<[Page, Order]> {
  const { categoryId, seller, stars, kind, stock, limit = MANY, after } = asked
  const price = asked.price || how.price
  const q = asked.q || undefined
  const given = asked.sort ?? (q ? 'relevance' : 'featured')
  const order = given === 'featured' && !categoryId && !seller && !q && !stock ? 'mixed' : given
  const { keys, kinds, direction } = SHELVES[order]
  const skipped = readCursor(after, order, kinds)

  const values: unknown[] = [limit]
  const next = (value: unknown) => `$${values.push(value)}`
  const parts = [
    order,
    order === 'mixed' && skipped[0] === UNFEATURED && 'behind',
    categoryId && 'category',
    seller && 'seller',
    price && 'price',
    stars && 'stars',
    kind && 'kind',
    stock && 'stock',
    q && (how.isInside ? 'inside' : breadth === 'few' ? 'search' : breadth),
    after && 'after',
  ]
  const [from, most] = both(centsOf(asked.price ?? '0-'), centsOf(how.price ?? '0-'))
  const filters = [
    stock ? `p.is_shown AND (p.is_listed OR ${IS_SOLD_OUT})` : LISTED,
    categoryId && `p.category_id = ${next(categoryId)}`,
    seller && `p.seller_id = (SELECT user_id FROM seller_handles WHERE handle = ${next(seller)})`,
    price && `p.price_cents BETWEEN ${next(from)} AND ${next(Math.min(most, Number.MAX_SAFE_INTEGER))}`,
    stars && `p.rated >= ${next(stars * 10_000_000)}`,
    kind && `p.delivery = ${next(kind)}`,
  ]
    .filter(Boolean)
    .join(' AND ')
  const ofShop = `products p WHERE ${filters}`
  // the fence reads the products of the seller; without it the order would read those of all sellers in its index
  const listed = seller ? `(SELECT * FROM ${ofShop} OFFSET 0) p WHERE true` : ofShop
  const query = q && { ...queryOf(q, how), parts: how.isInside ? partsOf(q) : null, exactCents: how.exactCents }
  const search = !query
    ? ''
    : order === 'relevance'
      ? rankedText(query, next, breadth, {
          filters,
          isWhole: after !== undefined,
          mayBeBroad: !price && !stars && !seller && !kind && !stock,
        })
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
    SELECT coalesce(json_agg(json_build_object(${LISTED_FIELDS}) ORDER BY n) FILTER (WHERE n <= $1), '[]')::text AS json,
      CASE WHEN count(*) > $1 THEN max(cursor) FILTER (WHERE n = $1) END AS next,
      (${q ? 'SELECT total FROM size' : price || stars || seller || kind || stock ? `SELECT count(*) FROM (SELECT FROM ${listed} LIMIT ${MAX_COUNTED}) counted` : totalText(categoryId && next(categoryId))}) AS total
    FROM page JOIN ${source === listed ? 'hits' : 'products'} p USING (id)`,
  )
  const [page] = await run(pool, ...values)
  return [page!, order]
}

/** Returns the intersection of both ranges. */
const both = (one: number[], other: number[]) => [Math.max(one[0]!, other[0]!), Math.min(one[1]!, other[1]!)] as const

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
    FROM products p WHERE p.category_id = c.id AND ${filters}
    ORDER BY ${shelf} OFFSET ${next(isBehind ? Math.max(0, -Number(turn) - 1) : 0)}::bigint LIMIT ${next(limit + 1 + passed)}::int ${featuredToo}) p)`
}

/** Above this many matches a search ranks the newest, and titles with the words or starts of them. */
const MAX_RANKED = 300
const MAX_TITLES = 300
/** Matches that are read to find the newest. */
const MAX_READ = 10_000
/**
 * In a large shop the index reads a broad search, such as 'gift ca', far longer than the newest products do. A search is
 * broad when 8 of 100 products match, the first by id or the newest of a category. Then the newest 20,000 are read until
 * MAX_COUNTED match.
 */
const LARGE = 10_000
const BROAD_OF_100 = 8
const MAX_NEW = 20_000
/** Stands for the number of matches of a broad search. */
const BROAD = 1_000_000_000

type Next = (value: unknown) => string

/** A search in the order of another key: all matches with every sort key. */
const matchesText = (
  query: Search,
  next: Next,
  filters: string,
) => `asked AS MATERIALIZED (SELECT ${wordsText(query, next)} AS words),
  found AS MATERIALIZED (
    SELECT p.id, p.created_at, p.featured_rank, p.price_cents, p.recent_buyers, p.rated, p.title ${matching(filters)}),
  size AS MATERIALIZED (SELECT least(count(*), ${MAX_COUNTED}) AS total FROM found),`

type Search = Query & { parts: string[] | null; exactCents: number | null }

const wordsText = (query: Search, next: Next) => {
  if (query.parts) return `search_inside(${next(query.parts)}::text[])`
  const written = `${next(query.written)}::text`
  return `CASE WHEN ${written} <> '' THEN websearch_to_tsquery('english', ${written}) ELSE search_starts(${next(query.starts)}::text) END`
}

const matching = (filters: string) => `FROM asked a, products p WHERE p.search @@ a.words AND ${filters}`

/** What is looked up in the index of titles. */
const TITLES: Record<Breadth, (keyof Query)[]> = { few: [], many: ['title', 'titleStarts'], broad: ['title'] }

const TIERS = ['title', 'named', 'kindred', 'alike', 'titleStarts'] as const

/** Rates `products AS p` for `asked AS a`. */
const SCORE = `(((lower(p.title) = a.typed)::int * ${2 ** (TIERS.length + 1)}
  + coalesce(p.price_cents = a.cents, false)::int * ${2 ** (TIERS.length + 1)}
  + ${TIERS.map((_, i) => `${2 ** (TIERS.length - i)} * (p.search @@ a.tier_${i})::int`).join(' + ')}
  + ts_rank('{0.02, 0.1, 0.3, 1}', p.search, a.twice)) * 100000)::int`

/**
 * Finds products by words and word starts. A product with the typed title comes first. Then come products with all words in the
 * title, in title or category, as synonyms of the category, as synonyms in the title, and as word starts in the title. The weights order equal matches.
 * `asked` holds all that depends on the words, so that the plan does not, and PostgreSQL plans the statement once.
 */
function rankedText(
  query: Search,
  next: Next,
  breadth: Breadth,
  { filters, isWhole, mayBeBroad }: { filters: string; isWhole: boolean; mayBeBroad: boolean },
): string {
  const parsed = (text: string) => `to_tsquery('english', ${next(text)}::text)`
  const inTitle = (text: string) => parsed(text.replace(/:A|(?<=:\*)A/g, ''))
  const titles = TITLES[breadth]
  return `asked AS MATERIALIZED (
      SELECT words, words || words AS twice, ${next(query.typed)}::text AS typed, ${next(query.exactCents)}::int AS cents,
        ${TIERS.map((tier, i) => `${parsed(query[tier])} AS tier_${i}`).join(', ')}
        ${titles.map((name, i) => `, ${inTitle(query[name])} AS titled_${i}`).join('')}
      FROM (SELECT ${wordsText(query, next)} AS words) w),
    ${breadth === 'few' ? fewText(filters, mayBeBroad) : manyText(filters, breadth, titles.length, isWhole)}`
}

const NEWEST = 'p.created_at DESC, p.id DESC'
const firstText = (count: number, filters: string, order: string) =>
  `(SELECT p.ctid, p.search, p.created_at, p.id FROM products p WHERE ${filters} ORDER BY ${order} LIMIT ${count}) p`

const fewText = (filters: string, mayBeBroad: boolean) => `
    sample AS MATERIALIZED (
      SELECT count(*) >= ${BROAD_OF_100} AS is_broad FROM asked a, ${firstText(100, filters, filters === LISTED ? 'p.id' : NEWEST)}
      WHERE ${mayBeBroad ? `(SELECT sum(count) FROM listed_products) >= ${LARGE} AND p.search @@ a.words` : 'false'}),
    matched AS MATERIALIZED (
      SELECT p.id, p.created_at, p.title, p.price_cents, p.search ${matching(filters)} AND NOT (SELECT is_broad FROM sample)
      LIMIT ${MAX_RANKED + 1}),
    size AS MATERIALIZED (
      SELECT CASE WHEN (SELECT is_broad FROM sample) THEN ${BROAD} ELSE count(*) END AS total FROM matched),
    found AS MATERIALIZED (
      SELECT p.id, p.created_at, ${SCORE} AS score FROM asked a, matched p WHERE (SELECT total FROM size) <= ${MAX_RANKED}),`

/** With `isWhole` the matches that are not ranked follow, newest first. */
function manyText(filters: string, breadth: Breadth, titles: number, isWhole: boolean): string {
  // `IS TRUE` keeps the index of words out, which would read all matches once more
  const isMatch = '(p.search @@ a.words) IS TRUE'
  const among = `SELECT p.ctid FROM asked a, products p WHERE ${filters} AND ${isMatch}`
  const titled = Array.from(
    { length: titles },
    (_, i) => `
      UNION (${among} AND to_tsvector('english', search_text(p.title)) @@ a.titled_${i} LIMIT ${MAX_TITLES})`,
  )
  const source =
    breadth === 'broad'
      ? `FROM asked a, ${firstText(MAX_NEW, filters, NEWEST)} WHERE ${isMatch} LIMIT ${MAX_COUNTED}`
      : `${matching(filters)} LIMIT ${MAX_READ}`
  const rest = `UNION ALL SELECT p.id, p.created_at, -1 ${matching(filters)} AND p.ctid NOT IN (SELECT place FROM ranked)`
  return `
    matched AS MATERIALIZED (SELECT p.ctid AS place, p.id, p.created_at ${source}),
    size AS MATERIALIZED (SELECT least(count(*), ${MAX_COUNTED}) AS total FROM matched),
    ranked AS MATERIALIZED (
      (SELECT place FROM matched ORDER BY created_at DESC, id DESC LIMIT ${MAX_RANKED})${titled.join('')}
      UNION (${among} AND lower(p.title) = a.typed LIMIT ${MAX_TITLES})),
    found AS MATERIALIZED (
      SELECT p.id, p.created_at, ${SCORE} AS score FROM asked a, ranked r JOIN products p ON p.ctid = r.place
      ${isWhole ? rest : ''}),`
}
