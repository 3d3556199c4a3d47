import type pg from 'pg'
import type { Meaning } from '../../../kit/meaning/meaning.server.ts'
import { nearnessFrom, type Vector } from '../../../kit/meaning/vector.rules.ts'
import { readProducts } from '../../../catalogue/shelf/list.server.ts'
import type { Asking, CategoryName, PriceRange } from '../asking.rules.ts'
import { nextTurn } from '../turn.server.ts'
import * as statements from './items.statements.server.ts'
import { readText, type Text, type Vocabulary, vocabularyOf } from './vocabulary.server.ts'
import {
  coverage,
  isEmptyWord,
  sharedWeights,
  stem,
  stemsOf,
  tokensOf,
  weighAll,
  type Weighed,
} from '../words.rules.ts'

// Finds products on sale by words and by embedding. Memory holds the MAX products with the most buyers; a larger shop
// searches the database for the rest. Each answer reads prices and stock from the database.

const MAX = 2_000
/** The number of search results that join the products in memory. */
const MAX_BEYOND = 30
const KEEP_MS = 60_000
const AT_ONCE = 32
/** Lets other requests run after this many products: about a millisecond. */
const AT_ONCE_RATED = 300
const AT_ONCE_READ = 20
/** The weight of a word that no product contains. */
const UNKNOWN = 0.5
/** Similarities of the questions in progress. Caching all questions would need 8 KB each. */
const MAX_NEARNESSES = 16
/** A lower similarity of embeddings counts as 0. */
const MIN_NEAR = 0.2
const ANALYSIS_MS = 3_000
/** Compares a seller's description by embedding if this many products, and half of those in memory, have a vector. */
const MIN_LEARNED = 20

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
export type Item = { row: Row; told: Text }
export type ProductHit = Row & { score: number; words: number; meaning: number }
/** Scores by the index of the product. Arrays avoid a thousand objects for each question. */
export type Rated = { items: Item[]; words: Float64Array; meanings: Float64Array; scores: Float64Array }

/** Facts about a product for answers. Amounts are in cents. */
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
  /** The price is that of the cheapest variant. `isFrom`: another variant costs more. */
  hasVariants: boolean
  isFrom: boolean
  /** A supplier creates the codes at each sale. */
  isSupplied: boolean
  /** Codes in stock; null for goods that are not counted. */
  left: number | null
}

export type Products = ReturnType<typeof openProducts>

/** The conditions that the shop's search supports. */
export type Conditions = Pick<Asking, 'categoryId' | 'price' | 'sort'>

export function openProducts(pool: pg.Pool, meaning: Meaning, { most = MAX } = {}) {
  let loaded: (Vocabulary & { at: number; items: Item[]; categories: CategoryName[] }) | null = null
  let loading: Promise<unknown> | null = null
  let isLearning = false
  const nearnesses = new Map<Vector, { items: Item[]; learned: number; near: Float64Array }>()
  let learned = 0

  async function load() {
    const [rows, categories] = await Promise.all([
      statements.readMostBought(pool, { most }),
      statements.readCategories(pool, {}),
    ])
    const before = new Map(loaded?.items.map(({ told }) => [told.words, told]))
    const items: Item[] = []
    let isSame = loaded?.items.length === rows.length
    for (const row of rows) {
      const words = `${row.title}. ${row.brief} ${row.category}`
      const known = before.get(words)
      isSame &&= known !== undefined
      items.push({ row, told: known ?? readText(row, words) })
      if (!known && items.length % AT_ONCE_READ === 0) await nextTurn()
    }
    const vocabulary = loaded && isSame ? loaded : await vocabularyOf(items.map(({ told }) => told))
    loaded = {
      at: Date.now(),
      items,
      categories,
      ...{ weigh: vocabulary.weigh, known: vocabulary.known, stems: vocabulary.stems },
      ...{ inHeadings: vocabulary.inHeadings, inTexts: vocabulary.inTexts, inNames: vocabulary.inNames },
    }
  }
  async function ready() {
    if (!loaded || Date.now() - loaded.at > KEEP_MS) {
      loading ??= load().finally(() => (loading = null))
      // Uses the old list until the new one is loaded.
      if (!loaded) await loading
      else loading.catch(() => undefined)
    }
    return loaded!
  }
  /** Computes the missing vectors in the background, in small batches. */
  async function learn() {
    if (isLearning) return
    isLearning = true
    try {
      for (;;) {
        const missing = (await ready()).items.filter(({ told }) => !told.vector).slice(0, AT_ONCE)
        if (missing.length === 0) return
        const vectors = await meaning.of(missing.map(({ row }) => `${row.title}. ${row.brief}`))
        if (!vectors) return
        missing.forEach(({ told }, i) => (told.vector = vectors[i]!))
        learned++
      }
    } finally {
      isLearning = false
    }
  }

  /** Searches a large shop for products that are not in memory. */
  async function readBeyond(topic: string[], { categoryId, price, sort }: Conditions): Promise<Item[]> {
    const { items } = await ready()
    if (items.length < most) return []
    const asked = {
      ...(topic.length > 0 && { q: topic.join(' ').slice(0, 100) }),
      ...(categoryId && { categoryId }),
      ...(price && { price: rangeOf(price) }),
      ...(sort && { sort }),
      limit: MAX_BEYOND,
    }
    const search = async (isAny: boolean) =>
      JSON.parse((await readProducts(pool, asked, { isAny })).json) as { id: string }[]
    const found = await search(false)
    const ids = new Set((found.length > 0 || topic.length < 2 ? found : await search(true)).map(({ id }) => id))
    for (const { row } of items) ids.delete(row.id)
    if (ids.size === 0) return []
    return (await statements.readSome(pool, { ids: [...ids] })).map((row) => ({ row, told: readText(row, '') }))
  }

  /** Returns the similarity of each product to a question. Cached, because a follow-up is rated for two topics. */
  async function readNearness(vector: Vector, items: Item[]): Promise<Float64Array> {
    const known = nearnesses.get(vector)
    if (known && known.items === items && known.learned === learned) return known.near
    const now = { items, learned, near: new Float64Array(items.length) }
    for (let from = 0; from < items.length; from += AT_ONCE_RATED) {
      if (from > 0) await nextTurn()
      compare(vector, items, now.near, from, Math.min(items.length, from + AT_ONCE_RATED))
    }
    const oldest = nearnesses.size >= MAX_NEARNESSES ? nearnesses.keys().next().value : undefined
    if (oldest) nearnesses.delete(oldest)
    nearnesses.set(vector, now)
    return now.near
  }

  /** Scores all products by words and embedding, from 0 to about 1.3. */
  async function rate(topic: string[], vector: Vector | null, beyond: Item[] = []): Promise<Rated> {
    const { items: known, weigh, stems, inHeadings, inTexts } = await ready()
    void learn().catch(() => undefined)
    const near = vector && (await readNearness(vector, known))
    const asked = weighAll(topic.map(stem), (one) => (stems.has(one) ? 1 : UNKNOWN) * weigh(one))
    const [headings, texts] = [sharedWeights(asked, inHeadings), sharedWeights(asked, inTexts)]
    const items = beyond.length > 0 ? [...known, ...beyond] : known
    const [words, meanings, scores] = [0, 1, 2].map(() => new Float64Array(items.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    // A plain loop, because iterators would create garbage for a thousand products.
    for (let i = 0; i < items.length; i++) {
      if (i % AT_ONCE_RATED === 0) await nextTurn()
      const { told } = items[i]!
      const isKnown = i < known.length
      const inTitle = isKnown ? shareOf(asked, headings.get(told)) : coverage(asked, told.heading)
      const inText = isKnown ? shareOf(asked, texts.get(told)) : coverage(asked, told.text)
      words[i] = Math.max(inTitle, 0.85 * inText)
      meanings[i] = near && isKnown ? near[i]! : 0
      scores[i] = words[i]! + 0.15 * inTitle + 0.6 * Math.max(0, meanings[i]! - MIN_NEAR)
    }
    return { items, words, meanings, scores }
  }

  return {
    ready,
    learn,
    /** False if memory does not hold all products. */
    isWhole: () => (loaded?.items.length ?? 0) < most,
    readBeyond,
    rate,
    /** Returns products whose title the text mentions by distinctive words. */
    async namedIn(text: string, beyond: Item[] = []): Promise<ProductHit[]> {
      const { items: known, weigh, inNames } = await ready()
      const order = stemsOf(text)
      const said = new Set(order)
      const near = new Set(order.flatMap((one) => inNames.get(one) ?? []))
      const items = known.filter(({ told }) => near.has(told))
      return [...items, ...beyond]
        .flatMap(({ row, told: { name } }) => {
          const met = name.filter((one) => said.has(one)).length
          if (met === 0 || met < Math.min(2, name.length)) return []
          const share = coverage(weighAll(name, weigh), said)
          const first = order.findIndex((one) => name.includes(one))
          return share >= 0.6 ? [foundAs(row, share, 0, share - first / 1000)] : []
        })
        .toSorted((a, b) => b.score - a.score)
    },
    /** Scores all products by a seller's description. Null while most have no vector. */
    async nearTo(description: string): Promise<ProductHit[] | null> {
      void learn().catch(() => undefined)
      const { items } = await ready()
      const known = items.filter(({ told }) => told.vector).length
      if (known < Math.max(MIN_LEARNED, items.length / 2)) return null
      const vector = (await meaning.of([description.slice(0, 400)], ANALYSIS_MS))?.[0]
      if (!vector) return null
      const topic = tokensOf(description).filter((word) => !isEmptyWord(word))
      return allOf(await rate(topic, vector))
    },
    facts: (ids: string[]): Promise<ProductFacts[]> =>
      ids.length === 0 ? Promise.resolve([]) : statements.readFacts(pool, { ids }),
  }
}

function compare(vector: Vector, items: Item[], near: Float64Array, from: number, to: number) {
  for (let i = from; i < to; i++) {
    const own = items[i]!.told.vector
    if (own) near[i] = nearnessFrom(MIN_NEAR, vector, own)
  }
}

/** Returns the share of the question's weight that a text contains, from 0 to 1. */
const shareOf = ({ sum }: Weighed, shared = 0) => (sum === 0 ? 0 : shared / sum)

export const foundAt = ({ items, words, meanings, scores }: Rated, i: number): ProductHit =>
  foundAs(items[i]!.row, words[i]!, meanings[i]!, scores[i]!)
export const allOf = (rated: Rated): ProductHit[] => rated.items.map((_, i) => foundAt(rated, i))

// Lists the fields, because spreading a thousand rows takes ten times as long.
const foundAs = (
  { id, title, brief, categoryId, category, cents, rated, age, buyers }: Row,
  words: number,
  meaning: number,
  score: number,
): ProductHit => ({ id, title, brief, categoryId, category, cents, rated, age, buyers, words, meaning, score })

/** In whole dollars for the search; the answer then filters by cents. */
const rangeOf = ({ from, to }: PriceRange) => `${Math.floor(from / 100)}-${to >= 1e9 ? '' : Math.floor(to / 100) + 1}`
