import { plural } from '../../../localisation/plural.rules.ts'
import { priceText, usd } from '../../../localisation/usd.rules.ts'
import type { Draft, Frame } from '../answer.ts'
import type { Asking } from '../asking.rules.ts'
import type { Context } from '../context.server.ts'
import { draft, firstSentence, quoted } from '../draft.rules.ts'
import type { Aspect } from './aspect.rules.ts'
import type { ProductFacts, ProductHit, Rated } from './products.server.ts'
import { stockOf } from './stock.rules.ts'

export type ProductQuestion = Context & {
  aspect: Aspect
  confidence: number
  found?: Rated
  named?: ProductHit[]
  /** The answer that this question follows. */
  follows?: Frame
  isNewTopic?: boolean
}

const SORTED: Partial<Record<NonNullable<Asking['sort']>, string>> = {
  'price-asc': 'cheapest first',
  'price-desc': 'most expensive first',
  newest: 'newest first',
  rating: 'best rated first',
  popular: 'most bought first',
}

export function introduce(facts: ProductFacts[], count: number, asking: Asking): string {
  const [first] = facts
  const title = quoted(first!.title)
  const where = asking.categoryId ? ` in ${quoted(first!.category)}` : ''
  const the = asking.topic.length > 0 ? 'Of what fits, the' : 'The'
  if (asking.sort === 'price-asc') return `${the} lowest price${where} is ${amount(first!)}: ${title}.`
  if (asking.sort === 'price-desc') return `${the} highest price${where} is ${amount(first!)}: ${title}.`
  if (facts.length === 1) return `${title} fits. ${firstSentence(first!.brief)}`.trim()
  const more = count > facts.length ? ` Here are ${facts.length} of ${count}` : ` These ${facts.length} fit`
  const order = asking.sort ? `, ${SORTED[asking.sort]}` : ''
  return `${more.trim()}${where}${order}. ${title}: ${firstSentence(first!.brief) || amount(first!)}`.trim()
}

/** 'from $3.00' if buyers choose the price or a variant. */
const amount = ({ cents, suggested, isFrom }: ProductFacts) =>
  suggested !== null || isFrom ? `from ${usd(cents)}` : priceText(cents)

export function describeOne(
  asked: ProductQuestion,
  one: ProductFacts,
  aspect: Aspect,
  others: ProductFacts[] = [],
): Draft {
  const facts = sentencesOf(one)
  const asksForRating = /\b(?:good|rated|reviews?|stars)\b/.test(asked.text)
  const said: Partial<Record<Aspect, string>> = {
    ...facts,
    price: asksForRating ? `${facts.price} ${facts.rating}` : facts.price,
    stock: `${answerKind(asked, one)}${facts.stock}`,
  }
  const ids = [one, ...others].map(({ id }) => id)
  return draft({
    intent: aspect,
    confidence: asked.confidence,
    text: said[aspect] ?? facts.about,
    products: ids,
    tools: ['products'],
    sources: ids.map((id) => `/product/${id}`),
    frame: {
      kind: 'products',
      intent: aspect,
      topic: [],
      categoryId: null,
      ids,
      before: shownBefore(asked.frame, ids),
    },
  })
}

/** The sentences about each aspect of a product. */
export const sentencesOf = (one: ProductFacts) => ({
  price: priceSentence(one),
  stock: stockOf(one),
  rating: ratingSentence(one),
  seller: `${quoted(one.title)} is sold by ${quoted(one.seller)}.`,
  about: `${quoted(one.title)}, ${amount(one)}, in ${quoted(one.category)}. ${firstSentence(one.brief)}`.trim(),
})

function priceSentence(one: ProductFacts): string {
  const title = quoted(one.title)
  if (one.suggested !== null) return `You choose the price of ${title}, from ${usd(one.cents)}.`
  return one.cents === 0 && !one.isFrom ? `${title} is free.` : `${title} costs ${amount(one)}.`
}

function ratingSentence(one: ProductFacts): string {
  const title = quoted(one.title)
  return one.stars === null
    ? `${title} has no reviews yet.`
    : `${title} is rated ${one.stars} of 5 stars in ${plural(one.reviews, 'review')}${samplesOf(one)}.`
}

/** Matches 'Is Night Train available as an e-book?' */
export const AS_KIND = /\bavailable (?:as|in) (?:an? )?/

function answerKind(
  { text, asking: { categoryId } }: ProductQuestion,
  { categoryId: own, title, category }: ProductFacts,
) {
  if (categoryId === null || !AS_KIND.test(text)) return ''
  return categoryId === own ? 'Yes. ' : `No. ${quoted(title)} is sold in ${quoted(category)} only. `
}

/** The product of the previous answer, which 'the difference between them' includes. */
export const shownBefore = (frame: Frame | null, ids: string[]): string[] => {
  if (frame?.kind !== 'products') return []
  const others = (frame.ids ?? []).filter((id) => !ids.includes(id))
  return (frame.ids?.length === 1 && others.length === 1 ? others : (frame.before ?? [])).filter(
    (id) => !ids.includes(id),
  )
}

const samplesOf = ({ reviews, samples }: ProductFacts) =>
  samples === 0
    ? ''
    : samples < reviews
      ? `, ${samples} of them samples`
      : reviews === 1
        ? ', a sample'
        : ', all of them samples'

export function compare(asked: ProductQuestion, some: ProductFacts[]): Draft | null {
  if (some.length < 2) return some[0] ? describeOne(asked, some[0], 'about') : null
  const lines = some.map((one) => {
    const stars = one.stars === null ? 'not rated yet' : `${one.stars} of 5 stars`
    return `${quoted(one.title)}: ${amount(one)}, ${quoted(one.category)}, ${stars}. ${firstSentence(one.brief)}`.trim()
  })
  const byPrice = some.toSorted((a, b) => a.cents - b.cents)
  const isEqual = byPrice[0]!.cents === byPrice.at(-1)!.cents
  const cheapest = isEqual
    ? 'They cost the same.'
    : `${quoted(byPrice[0]!.title)} is the ${some.length === 2 ? 'cheaper one' : 'cheapest'}.`
  const ids = (/\bcheaper\b/.test(asked.text) ? byPrice : some).map(({ id }) => id)
  return draft({
    intent: 'compare',
    confidence: asked.confidence,
    text: [...lines, cheapest].join('\n'),
    products: ids,
    tools: ['products'],
    sources: ids.map((id) => `/product/${id}`),
    frame: { kind: 'products', intent: 'compare', topic: [], categoryId: null, ids },
  })
}
