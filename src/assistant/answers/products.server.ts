import type pg from 'pg'
import { BRIEF, IS_FREE_CODE, LEAST, shownName } from '../../catalogue/product.sql.server.ts'
import synonyms from '../../catalogue/shelf/synonyms.json' with { type: 'json' }
import { statement } from '../../kit/database.server.ts'
import type { Meaning } from '../../kit/meaning/meaning.server.ts'
import { nearness, type Vector } from '../../kit/meaning/vector.rules.ts'
import type { CategoryName } from './asking.rules.ts'
import { coverage, isEmptyWord, stem, stemsOf, tokensOf, type Weigh, weighBy } from './words.rules.ts'

// The products on sale as the assistant finds them: by words and by meaning. The most bought are in memory, at most
// MOST; prices and stock are read from the database for each answer.

const MOST = 2_000
const KEEP_MS = 60_000
const AT_ONCE = 32
const ANALYSIS_MS = 3_000
/** A seller's description is compared by meaning in a shop of this size. */
const LEAST_LEARNED = 20

export type Row = {
  id: string
  title: string
  brief: string
  categoryId: string
  category: string
  cents: number
  rated: number
  age: number
  buyers: number
}
type Item = Row & { heading: Set<string>; text: Set<string>; name: string[]; words: string; vector?: Vector }
export type Found = Row & { score: number; words: number; meaning: number }

/** What the answers may say about a product. Amounts are cents. */
export type ProductFacts = {
  id: string
  title: string
  cents: number
  suggested: number | null
  least: number
  categoryId: string
  category: string
  brief: string
  seller: string
  stars: string | null
  reviews: number
  samples: number
  delivery: string
  left: number | null
}

export type Products = ReturnType<typeof openProducts>

export function openProducts(pool: pg.Pool, meaning: Meaning) {
  let loaded: {
    at: number
    items: Item[]
    weigh: Weigh
    known: Set<string>
    stems: Set<string>
    categories: CategoryName[]
  } | null = null
  let loading: Promise<unknown> | null = null
  let isLearning = false

  async function load() {
    const [rows, categories] = await Promise.all([readShelf(pool, MOST), readCategories(pool)])
    const vectors = new Map(loaded?.items.map(({ words, vector }) => [words, vector]))
    const items = rows.map((row): Item => {
      const heading = new Set(withSynonyms(`${row.title} ${row.category}`))
      const words = `${row.title}. ${row.brief}`
      const vector = vectors.get(words)
      return {
        ...row,
        heading,
        text: new Set([...heading, ...stemsOf(row.brief)]),
        name: nameOf(row.title),
        words,
        ...(vector && { vector }),
      }
    })
    const known = new Set(items.flatMap(({ title, brief }) => tokensOf(`${title} ${brief}`)))
    for (const word of synonyms.flat().flatMap(tokensOf)) known.add(word)
    loaded = {
      at: Date.now(),
      items,
      weigh: weighBy(items.map(({ text }) => [...text])),
      known,
      stems: new Set([...known].map(stem)),
      categories,
    }
  }
  async function ready() {
    if (!loaded || Date.now() - loaded.at > KEEP_MS) {
      loading ??= load().finally(() => (loading = null))
      // an old list answers until the new one is there
      if (!loaded) await loading
      else loading.catch(() => undefined)
    }
    return loaded!
  }
  /** Computes the missing vectors in the background, a few at a time. */
  async function learn() {
    if (isLearning) return
    isLearning = true
    try {
      for (;;) {
        const missing = (await ready()).items.filter(({ vector }) => !vector).slice(0, AT_ONCE)
        if (missing.length === 0) return
        const vectors = await meaning.of(missing.map(({ words }) => words))
        if (!vectors) return
        missing.forEach((item, i) => (item.vector = vectors[i]!))
      }
    } finally {
      isLearning = false
    }
  }

  /** All products, rated by how well they fit the words and the meaning; `score` is 0 to about 1.3. */
  async function rate(topic: string[], vector: Vector | null): Promise<Found[]> {
    const { items, weigh } = await ready()
    void learn().catch(() => undefined)
    const asked = topic.map(stem)
    return items.map(({ heading, text, name: _, words: __, vector: own, ...row }) => {
      const inTitle = coverage(asked, heading, weigh)
      const words = Math.max(inTitle, 0.85 * coverage(asked, text, weigh))
      const meaning = vector && own ? nearness(vector, own) : 0
      return { ...row, words, meaning, score: words + 0.15 * inTitle + 0.6 * Math.max(0, meaning - 0.2) }
    })
  }

  return {
    ready,
    learn,
    rate,
    /** The products whose title the text names, as far as its words are rare enough to tell them apart. */
    async namedIn(text: string): Promise<Found[]> {
      const { items, weigh } = await ready()
      const said = new Set(stemsOf(text))
      const order = stemsOf(text)
      return items
        .flatMap(({ heading: _, text: __, words: ___, vector: ____, name, ...row }) => {
          const share = coverage(name, said, weigh)
          const first = order.findIndex((one) => name.includes(one))
          return name.length > 0 &&
            share >= 0.6 &&
            name.filter((one) => said.has(one)).length >= Math.min(2, name.length)
            ? [{ ...row, words: share, meaning: 0, score: share - first / 1000 }]
            : []
        })
        .toSorted((a, b) => b.score - a.score)
    },
    /** Rates all products by a seller's description; null while most have no vector. */
    async nearTo(description: string): Promise<Found[] | null> {
      await learn()
      const { items } = await ready()
      const vector = (await meaning.of([description.slice(0, 400)], ANALYSIS_MS))?.[0]
      if (!vector || items.filter((item) => item.vector).length < LEAST_LEARNED) return null
      return rate(
        tokensOf(description).filter((word) => !isEmptyWord(word)),
        vector,
      )
    },
    facts: (ids: string[]): Promise<ProductFacts[]> => (ids.length === 0 ? Promise.resolve([]) : readFacts(pool, ids)),
  }
}

/** The words that make a title distinct: those before the amount of a voucher or the subtitle. */
const nameOf = (title: string) => stemsOf(title.replace(/[,:].*$/, '')).filter((one) => !KINDS.has(one))
const KINDS = new Set(['gift card', 'gift', 'card', 'voucher', 'demo', 'prepaid'].map(stem))

function withSynonyms(text: string): string[] {
  const own = stemsOf(text)
  const said = ` ${tokensOf(text).join(' ')} `
  const others = synonyms.filter((group) => group.some((one) => said.includes(` ${one} `))).flat()
  return [...own, ...others.flatMap(stemsOf)]
}

const RATED = `coalesce(p.rated, 0)::float8`
const readShelf = statement<Row, [most: number]>(
  'assistant_shelf',
  `SELECT p.id, p.title, ${BRIEF} AS brief, p.category_id AS "categoryId", c.name AS category, p.price_cents AS cents,
    ${RATED} AS rated, extract(epoch FROM now() - p.created_at)::float8 AS age, p.recent_buyers AS buyers
  FROM products p JOIN categories c ON c.id = p.category_id WHERE p.is_listed
  ORDER BY p.recent_buyers DESC, p.created_at DESC, p.id LIMIT $1`,
)

const readCategories = statement<CategoryName, []>(
  'assistant_categories',
  'SELECT id, name FROM categories ORDER BY id',
)

const readFacts = statement<ProductFacts, [ids: string[]]>(
  'assistant_facts',
  `SELECT p.id, p.title, p.price_cents AS cents, p.suggested_cents AS suggested, ${LEAST} AS least, p.category_id AS "categoryId",
    c.name AS category, ${BRIEF} AS brief, (SELECT ${shownName('u', 'a Primo seller')} FROM users u WHERE u.id = p.seller_id) AS seller,
    (SELECT round((r.stars_1 + 2 * r.stars_2 + 3 * r.stars_3 + 4 * r.stars_4 + 5 * r.stars_5)::numeric
      / nullif(r.stars_1 + r.stars_2 + r.stars_3 + r.stars_4 + r.stars_5, 0), 1)::text FROM ratings r WHERE r.product_id = p.id) AS stars,
    coalesce((SELECT r.stars_1 + r.stars_2 + r.stars_3 + r.stars_4 + r.stars_5 FROM ratings r WHERE r.product_id = p.id), 0) AS reviews,
    coalesce((SELECT r.samples FROM ratings r WHERE r.product_id = p.id), 0) AS samples, p.delivery,
    CASE WHEN p.delivery = 'code' AND NOT p.has_variants AND NOT EXISTS (SELECT FROM supplied_products y WHERE y.product_id = p.id) THEN (SELECT count(*)::int FROM codes c WHERE c.product_id = p.id AND ${IS_FREE_CODE}) END AS left
  FROM products p JOIN categories c ON c.id = p.category_id WHERE p.id = ANY ($1::uuid[]) AND p.is_listed
  ORDER BY array_position($1::uuid[], p.id)`,
)
