import type { Draft } from '../answer.ts'
import { type Asking, hasCondition } from '../asking.rules.ts'
import { draft, listed, quoted } from '../draft.rules.ts'
import { answerByRules, type Rule } from '../rule.ts'
import { MAX_SHOWN } from './chosen.server.ts'
import type { ProductFacts, ProductHit } from './products.server.ts'
import { search } from './productSearch.server.ts'
import { AS_KIND, compare, describeOne, type ProductQuestion } from './productText.server.ts'

/** A question about products with the facts of possible products. */
export type ProductReading = ProductQuestion & {
  /** The products of the answer that the question follows. */
  shown: ProductFacts[]
  /** The products whose title the question mentions. */
  namedFacts: ProductFacts[]
}

/** Answers questions about products on sale, with current facts from the database. */
export async function answerAboutProducts(question: ProductQuestion): Promise<Draft> {
  const { follows, tools } = question
  const shown = follows ? await tools.products.facts(follows.ids ?? []) : []
  const namedFacts = await tools.products.facts(pickNamed(question).slice(0, MAX_SHOWN))
  return (await answerByRules(PRODUCT_RULES, { ...question, shown, namedFacts })) ?? nothing(question)
}

/** Returns the ids of the named products; matches of price and category come first. */
function pickNamed({ named = [], asking, text, aspect }: ProductQuestion): string[] {
  const { price } = asking
  // In 'available as an e-book' the category is the question, not a condition.
  const categoryId = AS_KIND.test(text) && aspect !== 'compare' ? null : asking.categoryId
  const fits = ({ cents, categoryId: own }: ProductHit) =>
    (!price || (cents >= price.from && cents <= price.to)) && (!categoryId || own === categoryId)
  return [...new Set([...named.filter(fits), ...named].map(({ id }) => id))]
}

/** Returns true if the price is outside the range in the question. */
const isOutside = ({ cents }: ProductFacts, { price }: Asking) =>
  price !== null && price.from !== price.to && (cents < price.from || cents > price.to)

export const PRODUCT_RULES: Rule<ProductReading>[] = [
  { name: 'the categories', when: ({ aspect }) => aspect === 'range', answer: listCategories },
  {
    name: 'a comparison of what was shown',
    when: ({ follows, aspect }) => follows !== undefined && aspect === 'compare',
    async answer(question) {
      const { shown, follows, text, tools } = question
      const earlier = shown.length === 1 ? await tools.products.facts(follows?.before ?? []) : []
      return compare(question, [...earlier, ...shown].slice(0, /\b(?:two|2|both)\b/.test(text) ? 2 : MAX_SHOWN))
    },
  },
  {
    name: 'one of what was shown',
    when: ({ follows, named = [], shown, asking, aspect }) =>
      follows !== undefined &&
      named.length === 0 &&
      shown.length > 0 &&
      (asking.nth !== null || (aspect !== 'find' && aspect !== 'similar')) &&
      !hasCondition(asking) &&
      !asking.isCheaper,
    answer(question) {
      const { shown, asking, aspect } = question
      const one = shown.at(asking.nth ?? 0) ?? shown[0]
      return one ? describeOne(question, one, asking.nth !== null && aspect === 'find' ? 'about' : aspect) : null
    },
  },
  {
    name: 'a comparison of named products',
    when: ({ aspect, namedFacts }) => aspect === 'compare' && namedFacts.length > 1,
    answer: (question) => compare(question, question.namedFacts),
  },
  {
    name: 'a named product',
    when: ({ namedFacts: [first], aspect, asking }) =>
      first !== undefined && aspect !== 'similar' && asking.sort === null && !isOutside(first, asking),
    answer: describeNamed,
  },
  { name: 'a search', when: () => true, answer: (question) => search(question, question.shown) },
]

async function listCategories({ tools, confidence }: ProductQuestion): Promise<Draft> {
  const { categories } = await tools.products.ready()
  return draft({
    intent: 'range',
    confidence,
    text: `We sell ${listed(categories.map(({ name }) => quoted(name)))}. Name a kind, a topic or a price, and I look for it.`,
    articles: ['finding'],
    tools: ['categories'],
    sources: ['/categories'],
  })
}

/** Titles within this distance of the best match are shown too. */
const MIN_LEAD = 0.15

function describeNamed(question: ProductReading): Draft | null {
  const { namedFacts, named: [best, next] = [], aspect } = question
  const [first, ...others] = namedFacts
  if (first === undefined) return null
  const isOnly = best === undefined || next === undefined || best.score - next.score > MIN_LEAD
  return describeOne(question, first, aspect === 'find' ? 'about' : aspect, isOnly ? [] : others)
}

function nothing({ asking, follows, frame }: ProductQuestion): Draft {
  const hasCondition = asking.price !== null || asking.categoryId !== null || asking.isCheaper
  return draft({
    intent: 'find',
    confidence: 0.35,
    isUnsure: true,
    offersPerson: true,
    text: hasCondition
      ? 'I couldn’t find a product with all of that. Try another price or another category.'
      : 'I couldn’t find a product for that. Try other words, or ask a person.',
    tools: ['products'],
    sources: ['/categories'],
    frame: follows ?? frame,
  })
}
