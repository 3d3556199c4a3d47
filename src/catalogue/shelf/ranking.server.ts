import { type RawBuilder, sql } from 'kysely'
import { MAX_COUNTED } from '../catalogue.contract.ts'
import type { Query } from './search.rules.ts'

// Common table expressions of a search. `size` counts the matches; `found` returns them with sort keys or score.

/** Above this many matches, a search ranks only the newest ones and matching titles. */
export const MAX_RANKED = 300
const MAX_TITLES = 300
/** Maximum matches read to find the newest. */
const MAX_READ = 10_000
/**
 * In a large shop, the index needs too long for a broad search such as 'gift ca'. A search is broad if 8 of 100 sampled
 * products match. Such a search reads the newest 20,000 products until MAX_COUNTED match.
 */
const LARGE = 10_000
const BROAD_OF_100 = 8
const MAX_NEW = 20_000
/** Represents the number of matches of a broad search. */
export const BROAD = 1_000_000_000

/** The number of matches of a ranked search. The statement for 'few' reports when there are more. */
export type Breadth = 'few' | 'many' | 'broad'

export type Search = Query & { parts: string[] | null; exactCents: number | null }

/** Conditions on `products AS p`. A plain list has no condition other than that its products are listed. */
export type Filters = { all: RawBuilder<unknown>; isPlain: boolean }

type Ranking = Filters & { breadth: Breadth; isWhole: boolean; mayBeBroad: boolean }

const wordsOf = ({ parts, written, starts }: Search) =>
  sql`search_query(${parts}::text[], ${written}::text, ${starts}::text)`

const matching = (filters: RawBuilder<unknown>) =>
  sql`FROM asked a, products p WHERE p.search @@ a.words AND ${filters}`

/** A search sorted by another key: all matches with every sort key. */
export const matchAll = (search: Search, { all }: Filters) => sql`
  asked AS MATERIALIZED (SELECT ${wordsOf(search)} AS words),
  found AS MATERIALIZED (
    SELECT p.id, p.created_at, p.featured_rank, p.price_cents, p.recent_buyers, p.rated, p.title ${matching(all)}),
  size AS MATERIALIZED (SELECT least(count(*), ${sql.lit(MAX_COUNTED)}) AS total FROM found),`

/** The title queries used for each breadth. */
const TITLES: Record<Breadth, (keyof Query)[]> = { few: [], many: ['title', 'titleStarts'], broad: ['title'] }

const TIERS = ['title', 'named', 'kindred', 'alike', 'titleStarts'] as const

const tier = (i: number) => sql.ref(`a.tier_${i}`)

/** Scores `products AS p` for `asked AS a`. */
const SCORE = sql`(((lower(p.title) = a.typed)::int * ${sql.lit(2 ** (TIERS.length + 1))}
  + coalesce(p.price_cents = a.cents, false)::int * ${sql.lit(2 ** (TIERS.length + 1))}
  + ${sql.join(
    TIERS.map((_, i) => sql`${sql.lit(2 ** (TIERS.length - i))} * (p.search @@ ${tier(i)})::int`),
    sql` + `,
  )}
  + ts_rank('{0.02, 0.1, 0.3, 1}', p.search, a.twice)) * 100000)::int`

/**
 * Finds products by words and word starts. Ranks the exact title first. Then come all words in the title, in title or
 * category, as synonyms of the category, as synonyms in the title, and as word starts in the title. `asked` contains
 * everything that depends on the words, so that PostgreSQL plans the statement once.
 */
export function rank(search: Search, ranking: Ranking) {
  const parsed = (text: string) => sql`to_tsquery('english', ${text}::text)`
  const inTitle = (text: string) => parsed(text.replace(/:A|(?<=:\*)A/g, ''))
  const titles = TITLES[ranking.breadth]
  const queries = [
    ...TIERS.map((name, i) => sql`${parsed(search[name])} AS ${sql.id(`tier_${i}`)}`),
    ...titles.map((name, i) => sql`${inTitle(search[name])} AS ${sql.id(`titled_${i}`)}`),
  ]
  return sql`
    asked AS MATERIALIZED (
      SELECT words, words || words AS twice, ${search.typed}::text AS typed, ${search.exactCents}::int AS cents, ${sql.join(queries)}
      FROM (SELECT ${wordsOf(search)} AS words) w),
    ${ranking.breadth === 'few' ? rankFew(ranking) : rankMany(ranking, titles.length)}`
}

const NEWEST = sql`p.created_at DESC, p.id DESC`
const first = (count: number, filters: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
  sql`(SELECT p.ctid, p.search, p.created_at, p.id FROM products p WHERE ${filters} ORDER BY ${order} LIMIT ${sql.lit(count)}) p`

const rankFew = ({ all, isPlain, mayBeBroad }: Ranking) => sql`
    sample AS MATERIALIZED (
      SELECT count(*) >= ${sql.lit(BROAD_OF_100)} AS is_broad FROM asked a, ${first(100, all, isPlain ? sql`p.id` : NEWEST)}
      WHERE ${mayBeBroad ? sql`(SELECT sum(count) FROM listed_products) >= ${sql.lit(LARGE)} AND p.search @@ a.words` : sql`false`}),
    matched AS MATERIALIZED (
      SELECT p.id, p.created_at, p.title, p.price_cents, p.search ${matching(all)} AND NOT (SELECT is_broad FROM sample)
      LIMIT ${sql.lit(MAX_RANKED + 1)}),
    size AS MATERIALIZED (
      SELECT CASE WHEN (SELECT is_broad FROM sample) THEN ${sql.lit(BROAD)} ELSE count(*) END AS total FROM matched),
    found AS MATERIALIZED (
      SELECT p.id, p.created_at, ${SCORE} AS score FROM asked a, matched p WHERE (SELECT total FROM size) <= ${sql.lit(MAX_RANKED)}),`

/** `isWhole` appends the unranked matches, newest first. */
function rankMany({ all, breadth, isWhole }: Ranking, titles: number) {
  // `IS TRUE` prevents the use of the word index, which would read all matches again
  const isMatch = sql`(p.search @@ a.words) IS TRUE`
  const among = sql`SELECT p.ctid FROM asked a, products p WHERE ${all} AND ${isMatch}`
  const titled = Array.from(
    { length: titles },
    (_, i) => sql`
      UNION (${among} AND to_tsvector('english', search_text(p.title)) @@ ${sql.ref(`a.titled_${i}`)} LIMIT ${sql.lit(MAX_TITLES)})`,
  )
  const source =
    breadth === 'broad'
      ? sql`FROM asked a, ${first(MAX_NEW, all, NEWEST)} WHERE ${isMatch} LIMIT ${sql.lit(MAX_COUNTED)}`
      : sql`${matching(all)} LIMIT ${sql.lit(MAX_READ)}`
  const rest = sql`UNION ALL SELECT p.id, p.created_at, -1 ${matching(all)} AND p.ctid NOT IN (SELECT place FROM ranked)`
  return sql`
    matched AS MATERIALIZED (SELECT p.ctid AS place, p.id, p.created_at ${source}),
    size AS MATERIALIZED (SELECT least(count(*), ${sql.lit(MAX_COUNTED)}) AS total FROM matched),
    ranked AS MATERIALIZED (
      (SELECT place FROM matched ORDER BY created_at DESC, id DESC LIMIT ${sql.lit(MAX_RANKED)})${sql.join(titled, sql``)}
      UNION (${among} AND lower(p.title) = a.typed LIMIT ${sql.lit(MAX_TITLES)})),
    found AS MATERIALIZED (
      SELECT p.id, p.created_at, ${SCORE} AS score FROM asked a, ranked r JOIN products p ON p.ctid = r.place
      ${isWhole ? rest : sql``}),`
}
