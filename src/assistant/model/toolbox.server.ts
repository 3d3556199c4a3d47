import type { ToolSet } from 'ai'
import type pg from 'pg'
import { z } from 'zod'
import type { Sort } from '../../catalogue/catalogue.contract.ts'
import type { Draft } from '../answers/answer.ts'
import type { Mind } from '../answers/answer.server.ts'
import { quoted } from '../answers/draft.rules.ts'
import { describeLibrary, describeOrder, describeSums } from '../answers/orderAnswer.server.ts'
import { type Purchase, readOwned, readPurchases, readSpending } from '../answers/purchases.server.ts'
import { allOf, type ProductFacts } from '../answers/products/products.server.ts'
import { sentencesOf } from '../answers/products/productText.server.ts'
import { NOT_SURE } from '../answers/unsure.server.ts'
import { stemsOf, tokensOf } from '../answers/words.rules.ts'
import { addFact, type Facts } from './facts.rules.ts'

// The language model's tools: the queries of the local assistant, for the member who asks. They return facts without
// addresses, codes and payment ids.

const MAX = 5
const MAX_CALLS = 4
const MAX_ORDERS = 10
const MAX_OWNED = 30
type Sortable = { cents: number; rated: number; age: number }
const SORTS: Record<string, { name: Sort; compare: (a: Sortable, b: Sortable) => number }> = {
  cheapest: { name: 'price-asc', compare: (a, b) => a.cents - b.cents },
  dearest: { name: 'price-desc', compare: (a, b) => b.cents - a.cents },
  'best rated': { name: 'rating', compare: (a, b) => b.rated - a.rated },
  newest: { name: 'newest', compare: (a, b) => a.age - b.age },
}

const amount = z.coerce.number().nullish().describe('US dollars')
const Search = z.object({
  words: z.string().nullish().describe('a topic or a title'),
  from: amount,
  to: amount,
  category: z.string().nullish(),
  sort: z.enum(Object.keys(SORTS)).nullish(),
})
const Question = z.object({ question: z.string() })
const Nothing = z.object({})

export type Toolbox = {
  tools: ToolSet
  /** Resets the count of tool calls for a turn of the model. */
  startTurn: () => void
  facts: Facts
  /** The tools that the model called. */
  used: string[]
}

export function openToolbox({ pool, mind, userId }: { pool: pg.Pool; mind: Mind; userId: string }): Toolbox {
  let calls = 0
  const startTurn = () => void (calls = 0)
  const facts: Facts = new Map()
  const box: Toolbox = { tools: {}, startTurn, facts, used: [] }
  const add = <Input extends z.ZodObject>(
    name: string,
    description: string,
    inputSchema: Input,
    run: (given: z.output<Input>) => Promise<unknown>,
  ) => {
    const execute = async (given: z.output<Input>) => {
      if (++calls > MAX_CALLS) return { error: 'too many calls at once' }
      box.used.push(name)
      return run(given)
    }
    // Hides the shop's error texts from the model.
    box.tools[name] = {
      ...{ description, inputSchema },
      execute: (given) => execute(given as z.output<Input>).catch(() => ({ error: 'the tool failed' })),
    }
  }

  add(
    'search_products',
    'Finds products on sale by words, price and category. Prices are in US dollars.',
    Search,
    async (given) => {
      const { categories } = await mind.products.ready()
      const category = categories.find(({ name }) => name.toLowerCase() === given.category?.toLowerCase())
      const [from, to] = [(given.from ?? 0) * 100, (given.to ?? Infinity) * 100]
      const topic = tokensOf(given.words ?? '').slice(0, 12)
      const sort = given.sort ? SORTS[given.sort]! : null
      const price = from === 0 && to === Infinity ? null : { from, to }
      const conditions = { categoryId: category?.id ?? null, price, sort: sort?.name ?? null }
      const beyond = await mind.products.readBeyond(topic, conditions)
      const found = allOf(await mind.products.rate(topic, null, beyond))
        .filter(
          ({ cents, categoryId, words }) =>
            cents >= from &&
            cents <= to &&
            (!category || categoryId === category.id) &&
            (topic.length === 0 || words > 0.3),
        )
        .toSorted((a, b) => b.score - a.score)
        .slice(0, topic.length === 0 ? Infinity : sort ? 30 : MAX)
        .toSorted(sort?.compare ?? (() => 0))
        .slice(0, MAX)
      const some = await mind.products.facts(found.map(({ id }) => id))
      return addProducts(facts, some)
    },
  )
  add('my_orders', "Lists the customer's own newest orders with their status.", Nothing, async () =>
    addOrders(facts, await readPurchases(pool, userId)),
  )
  add('my_library', 'Lists what the customer owns.', Nothing, () => addLibrary(facts, pool, userId))
  add('my_credit', 'Reads the store credit and the money spent.', Nothing, () => addSums(facts, pool, userId))
  add('help', 'Finds what the help articles say about a question.', Question, ({ question }) =>
    Promise.resolve(addPassages(facts, mind, question)),
  )
  return box
}

/** Questions and replies that the assistant can use if no fact answers. */
const ALWAYS: [kind: string, text: string, rest?: Partial<Draft>][] = [
  ['unknown', NOT_SURE, { isUnsure: true, offersPerson: true }],
  ['ask', 'Which product do you mean?'],
  ['ask', 'Which order do you mean?'],
  ['ask', 'What exactly happened?'],
]

/** Adds the local assistant's answer to the question `text`, and its facts. */
export async function addDraft(
  { facts }: Toolbox,
  { pool, mind, userId, text, draft }: { pool: pg.Pool; mind: Mind; userId: string; text: string; draft: Draft },
) {
  const answer = addFact(facts, 'answer', draft)
  const products = await mind.products.facts(draft.products)
  const orders = draft.orders.length > 0 ? await readPurchases(pool, userId, { ids: draft.orders }) : []
  return [
    answer,
    ...addProducts(facts, products),
    ...addOrders(facts, orders),
    ...(draft.articles.length > 0 ? addPassages(facts, mind, text, draft.articles) : []),
    ...ALWAYS.map(([kind, says, more]) => addFact(facts, kind, { text: says, ...more })),
  ]
}

const addProducts = (facts: Facts, some: ProductFacts[]) =>
  some.flatMap((one) =>
    Object.entries(sentencesOf(one)).map(([kind, text]) =>
      addFact(facts, kind, { text, products: [one.id], sources: [`/product/${one.id}`] }),
    ),
  )

const addOrders = (facts: Facts, some: Purchase[]) =>
  some.slice(0, MAX_ORDERS).map((one) => ({
    ...addFact(facts, 'order', { text: describeOrder(one), orders: [one.id], sources: ['/orders'] }),
    at: one.at,
  }))

async function addLibrary(facts: Facts, pool: pg.Pool, userId: string) {
  const owned = await readOwned(pool, userId)
  const texts = owned.slice(0, MAX_OWNED).map(({ title }) => `${quoted(title)} is in your Library.`)
  const page = { sources: ['/library'], articles: ['library'] }
  return [describeLibrary(owned), ...texts].map((text) => addFact(facts, 'library', { text, ...page }))
}

async function addSums(facts: Facts, pool: pg.Pool, userId: string) {
  const { spent, credit } = describeSums((await readSpending(pool, userId))[0] ?? { spent: 0, credit: 0 })
  const page = { sources: ['/profile'] }
  return [
    addFact(facts, 'credit', { text: credit, ...page, articles: ['store-credit'] }),
    addFact(facts, 'spent', { text: spent, ...page }),
  ]
}

const addPassages = (facts: Facts, mind: Mind, question: string, articles?: string[]) =>
  mind.passages
    .rate(stemsOf(question.slice(0, 300)), null)
    .filter(({ passage }) => articles?.includes(passage.slug) ?? true)
    .slice(0, MAX)
    .map(({ passage: { slug, title, heading, text } }) => ({
      ...addFact(facts, 'help', { text, articles: [slug], sources: [`/help/${slug}`] }),
      about: heading || title,
    }))
