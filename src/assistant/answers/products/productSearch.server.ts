import type { Draft } from '../answer.ts'
import { type Asking, hasCondition } from '../asking.rules.ts'
import { draft } from '../draft.rules.ts'
import { choose, type Chosen } from './chosen.server.ts'
import type { ProductFacts, Rated } from './products.server.ts'
import { describeOne, introduce, type ProductQuestion, shownBefore } from './productText.server.ts'

const MORE = /\b(?:else|more|other|another|similar)\b/

/** Finds products by the topic and the conditions of a question. Returns null without a match. */
export async function search(question: ProductQuestion, shown: ProductFacts[]): Promise<Draft | null> {
  const conditions = readConditions(question, shown)
  const rated = await rateFor(question, conditions)
  const isSimilar = isLikeShown(question, shown)
  const skip = new Set(MORE.test(question.text) || isSimilar ? shown.map(({ id }) => id) : [])
  const { asking, chosen } = chooseWithout(RELAXATIONS, { question, shown, rated, skip, isSimilar, asking: conditions })
  const facts = await question.tools.products.facts(chosen.first.map(({ id }) => id))
  if (facts[0] === undefined) return null
  if (isAboutOne(question, asking)) return describeOne(question, facts[0], question.aspect, facts.slice(1))
  // The next question still refers to the earlier price.
  return listProducts(question, { ...asking, price: conditions.price }, facts, chosen.count)
}

const isLikeShown = ({ aspect }: ProductQuestion, shown: ProductFacts[]) => aspect === 'similar' && shown.length > 0

/** Combines the conditions of the question with those of the question that it follows. */
export function readConditions(question: ProductQuestion, shown: ProductFacts[]): Asking {
  const { asking: own } = question
  const asking = inherit(question, shown)
  if (own.isCheaper && shown.length > 0)
    asking.price = { from: 0, to: Math.min(...shown.map(({ cents }) => cents)) - 1 }
  if (!isLikeShown(question, shown)) return asking
  return {
    ...asking,
    topic: shown.slice(0, 1).flatMap(topicOf),
    categoryId: asking.categoryId ?? shown[0]?.categoryId ?? null,
  }
}

function inherit({ asking: own, follows, isNewTopic }: ProductQuestion, shown: ProductFacts[]): Asking {
  if (!follows) return { ...own }
  const categoryId = own.categoryId ?? follows.categoryId ?? readCategory(own, shown)
  const hasTopic = own.topic.length > 0
  if (isNewTopic && hasTopic) return { ...own, categoryId }
  return {
    ...{ ...own, categoryId },
    topic: hasTopic ? own.topic : (follows.topic ?? []),
    price: own.price ?? follows.price ?? null,
    sort: own.sort ?? follows.sort ?? null,
  }
}

const topicOf = ({ title, category }: ProductFacts) => `${title} ${category}`.toLowerCase().match(/[\p{L}]{4,}/gu) ?? []

/** Returns the common category of the shown products if the question only adds a condition. */
function readCategory(own: Asking, shown: ProductFacts[]): string | null {
  const [first] = shown
  const isLimited = hasCondition(own) || own.isCheaper
  if (!isLimited || own.topic.length > 0 || !first) return null
  return shown.every(({ categoryId }) => categoryId === first.categoryId) ? first.categoryId : null
}

function rateFor({ asking: own, found, follows, vector, tools }: ProductQuestion, asking: Asking) {
  const { rate, readBeyond, isWhole } = tools.products
  // In a larger shop, searches again with the conditions of both questions.
  const isRated = (asking.topic.length === 0 || asking.topic === own.topic) && (!follows || isWhole())
  if (found !== undefined && isRated) return found
  return readBeyond(asking.topic, asking).then((beyond) => rate(asking.topic, vector, beyond))
}

export type Choice = {
  question: ProductQuestion
  shown: ProductFacts[]
  rated: Rated
  skip: ReadonlySet<string>
  isSimilar: boolean
  asking: Asking
  chosen: Chosen
}

type Relaxation = { name: string; when: (choice: Choice) => boolean; relax: (asking: Asking) => Asking }

/** Conditions that are dropped in order until enough products match. */
export const RELAXATIONS: Relaxation[] = [
  {
    // 'the cheapest one' after a single product asks about similar products.
    name: 'only the shown product fits',
    when: ({ question: { asking: own }, shown, chosen }) =>
      chosen.count === 1 && chosen.first[0]?.id === shown[0]?.id && own.sort !== null && own.topic.length === 0,
    relax: (asking) => ({ ...asking, topic: [] }),
  },
  {
    // A product of another kind seldom has the same topic, and few products are similar.
    name: 'nothing has the topic',
    when: ({ question, asking, chosen, isSimilar }) =>
      chosen.count === 0 && (isSimilar || question.asking.topic.length === 0) && asking.topic.length > 0,
    relax: (asking) => ({ ...asking, topic: [] }),
  },
  {
    // The price of the first question may not fit the second.
    name: 'nothing in the category has the earlier price',
    when: ({ question: { asking: own, follows }, chosen }) =>
      chosen.count === 0 && follows !== undefined && own.categoryId !== null && own.price === null,
    relax: (asking) => ({ ...asking, price: null }),
  },
]

/** Chooses products, and again after each relaxation that applies. */
export function chooseWithout(
  relaxations: Relaxation[],
  { asking, ...input }: Omit<Choice, 'chosen'>,
): Pick<Choice, 'asking' | 'chosen'> {
  const chooseBy = (conditions: Asking) => choose(input.rated, conditions, input.skip)
  let choice = { asking, chosen: chooseBy(asking) }
  for (const { when, relax } of relaxations) {
    if (!when({ ...input, ...choice })) continue
    const relaxed = relax(choice.asking)
    choice = { asking: relaxed, chosen: chooseBy(relaxed) }
  }
  return choice
}

/** The first question is about one product: 'how much is the bread book?' */
const isAboutOne = ({ aspect, follows, asking: own }: ProductQuestion, { sort }: Asking) =>
  !follows && !['find', 'similar', 'compare'].includes(aspect) && sort === null && own.topic.length > 0

function listProducts(question: ProductQuestion, asking: Asking, facts: ProductFacts[], count: number): Draft {
  const { confidence, tools, frame } = question
  const ids = facts.map(({ id }) => id)
  return draft({
    intent: 'find',
    confidence,
    text: introduce(facts, tools.products.isWhole() ? count : facts.length, asking),
    products: ids,
    tools: ['products'],
    sources: ids.map((id) => `/product/${id}`),
    frame: {
      kind: 'products',
      intent: 'find',
      topic: asking.topic,
      categoryId: asking.categoryId,
      price: asking.price,
      sort: asking.sort,
      ids,
      before: ids.length === 1 ? shownBefore(frame, ids) : [],
    },
  })
}
