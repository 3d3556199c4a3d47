import type { ToolSet } from 'ai'
import type pg from 'pg'
import { z } from 'zod'
import type { Sort } from '../../catalogue/catalogue.contract.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { endedStatus } from '../../orders/states.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import type { Draft } from '../answers/answer.ts'
import type { Mind } from '../answers/answer.server.ts'
import { quoted } from '../answers/draft.rules.ts'
import {
  type OwnedThing,
  type Purchase,
  readOwned,
  readPurchases,
  readSpending,
  type Sums,
} from '../answers/purchases.server.ts'
import { allOf, type ProductFacts } from '../answers/products/products.server.ts'
import { stemsOf, tokensOf } from '../answers/words.rules.ts'
import type { Help } from '../help/help.server.ts'
import { type Facts, noFacts, noteOwn, noteProduct } from './facts.rules.ts'

// The tools of the language model: the reads of the local assistant, for the member who asks. They return no address, no
// code and no payment id, and each result is noted as a fact that the answer may state.

const MAX = 5
const MAX_CALLS = 4
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
  /** Calls of a tool are counted for each turn of the model. */
  startTurn: () => void
  facts: Facts
  used: string[]
  products: string[]
  orders: string[]
  articles: string[]
}

export function openToolbox({
  pool,
  mind,
  help,
  userId,
}: {
  pool: pg.Pool
  mind: Mind
  help: Help
  userId: string
}): Toolbox {
  let calls = 0
  const startTurn = () => void (calls = 0)
  const box: Toolbox = { tools: {}, startTurn, facts: noFacts(), used: [], products: [], orders: [], articles: [] }
  const { facts } = box
  // the names of buttons and pages
  for (const { slug } of help.all())
    for (const [, name] of (help.bodyOf(slug) ?? '').matchAll(/\*\*([^*]+)\*\*/g)) facts.names.add(name!)
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
    // the model gets no text of an error of the shop
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
      return noteProducts(box, some)
    },
  )
  add('my_orders', "Lists the customer's own newest orders with their status.", Nothing, async () =>
    noteOrders(box, await readPurchases(pool, userId)),
  )
  add('my_library', 'Lists what the customer owns.', Nothing, async () => {
    const owned = noteOwned(box, await readOwned(pool, userId))
    return owned.slice(0, 30)
  })
  add('my_credit', 'Reads the store credit and the money spent.', Nothing, async () => {
    const [sums] = await readSpending(pool, userId)
    noteSums(box, sums!)
    return { storeCredit: usd(sums!.credit), spent: usd(sums!.spent) }
  })
  add('help', 'Finds what the help articles say about a question.', Question, async ({ question }) => {
    const found = mind.passages.rate(stemsOf(question.slice(0, 300)), null).slice(0, 3)
    for (const { passage } of found) noteArticle(box, help, passage.slug)
    return found.map(({ passage }) => ({ page: `/help/${passage.slug}`, title: passage.title, text: passage.text }))
  })
  return box
}

function noteArticle({ facts, articles }: Toolbox, help: Help, slug: string) {
  const body = help.bodyOf(slug) ?? ''
  if (!articles.includes(slug)) articles.push(slug)
  facts.paths.add(`/help/${slug}`)
  noteOwn(facts, body)
}

/** Answers of the local assistant in words of the shop or its staff alone. The others quote titles and descriptions of sellers. */
const OWN_ANSWERS = new Set(['help', 'lessons', 'spent', 'credit'])

/** Notes what the local assistant found: its products and orders are what the question is about. */
export async function noteDraft(
  box: Toolbox,
  { pool, mind, help, userId, draft }: { pool: pg.Pool; mind: Mind; help: Help; userId: string; draft: Draft },
) {
  const { facts } = box
  const products = noteProducts(box, await mind.products.facts(draft.products))
  const own = draft.orders.length > 0 ? await readPurchases(pool, userId, { ids: draft.orders }) : []
  const orders = noteOrders(box, own)
  facts.about = { titles: products.map(({ title }) => title), orders: orders.map(({ number }) => number) }
  for (const slug of draft.articles) noteArticle(box, help, slug)
  if (draft.tools.every((tool) => OWN_ANSWERS.has(tool))) noteOwn(facts, draft.text)
  if (draft.tools.includes('library')) noteOwned(box, await readOwned(pool, userId))
  if (draft.tools.includes('spent') || draft.tools.includes('credit'))
    noteSums(box, (await readSpending(pool, userId))[0]!)
  return {
    answer: draft.text,
    isUnsure: draft.isUnsure,
    products,
    orders,
    articles: draft.articles.map((slug) => help.bodyOf(slug)?.slice(0, 1500)),
  }
}

const noteSums = ({ facts }: Toolbox, { credit, spent }: Sums) => Object.assign(facts, { credit, spent })

function noteOwned({ facts }: Toolbox, owned: OwnedThing[]): string[] {
  facts.paths.add('/library')
  const titles = owned.map(({ title }) => quoted(title))
  for (const title of titles) facts.owned.add(title)
  return titles
}

function noteProducts({ facts, products }: Toolbox, some: ProductFacts[]) {
  return some.map((one) => {
    const title = quoted(one.title)
    const { stars, left } = one
    noteProduct(facts, title, {
      cents: new Set(one.suggested === null ? [one.cents] : [one.cents, one.suggested]),
      stars,
      left,
    })
    facts.names.add(quoted(one.category)).add(quoted(one.seller))
    facts.paths.add(`/product/${one.id}`)
    if (!products.includes(one.id)) products.push(one.id)
    return {
      ...{ title, price: `${one.isFrom ? 'from ' : ''}${usd(one.cents)}`, category: quoted(one.category) },
      ...{ about: quoted(one.brief), stars, left, seller: quoted(one.seller) },
      ...(one.isSupplied && { codes: 'made when they are sold' }),
    }
  })
}

function noteOrders({ facts, orders }: Toolbox, some: Purchase[]) {
  facts.paths.add('/orders')
  return some.slice(0, 10).map(({ id, status, code, cents, at, lines, minutesLeft, isHeld }) => {
    const titles = lines.map(({ title }) => quoted(title))
    facts.orders.set(shortId(id), { status, isHeld, cents, titles })
    if (!orders.includes(id)) orders.push(id)
    return {
      ...{ number: shortId(id), status: endedStatus(status, code), total: usd(cents), at, minutesToPay: minutesLeft },
      ...(isHeld && { isHeldForCheck: true }),
      products: titles,
    }
  })
}
