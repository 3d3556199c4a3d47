import { priceText, usd } from '../../../localisation/usd.rules.ts'
import { plural } from '../../../localisation/plural.rules.ts'
import type { Context } from '../context.server.ts'
import type { Draft, Frame } from '../answer.ts'
import type { Asking } from '../asking.rules.ts'
import type { Aspect } from './aspect.rules.ts'
import { choose, MAX_SHOWN } from './chosen.server.ts'
import { draft, firstSentence, listed, quoted } from '../draft.rules.ts'
import type { ProductHit, ProductFacts, Rated } from './products.server.ts'
import { stockOf } from './stock.rules.ts'

type ProductQuestion = Context & {
  aspect: Aspect
  confidence: number
  found?: Rated
  named?: ProductHit[]
  /** The answer that this question goes on with. */
  follows?: Frame
  isNewTopic?: boolean
}

/** Answers about products on sale, with their facts as the database has them now. Null when none fits. */
export async function answerAboutProducts(asked: ProductQuestion): Promise<Draft> {
  return (await tryProducts(asked)) ?? nothing(asked)
}

async function tryProducts(asked: ProductQuestion): Promise<Draft | null> {
  const { aspect, follows, asking, named = [], tools, confidence } = asked
  const { products } = tools
  if (aspect === 'range') {
    const { categories } = await products.ready()
    return draft({
      intent: 'range',
      confidence,
      text: `We sell ${listed(categories.map(({ name }) => quoted(name)))}. Name a kind, a topic or a price, and I look for it.`,
      articles: ['finding'],
      tools: ['categories'],
      sources: ['/categories'],
    })
  }
  const shown = follows ? await products.facts(follows.ids ?? []) : []
  const hasCondition = asking.sort !== null || asking.price !== null || asking.categoryId !== null || asking.isCheaper
  if (follows && aspect === 'compare') {
    const earlier = shown.length === 1 ? await products.facts(follows.before ?? []) : []
    return compare(asked, [...earlier, ...shown].slice(0, /\b(?:two|2|both)\b/.test(asked.text) ? 2 : MAX_SHOWN))
  }
  if (
    follows &&
    named.length === 0 &&
    shown.length > 0 &&
    (asking.nth !== null || (aspect !== 'find' && aspect !== 'similar')) &&
    !hasCondition
  ) {
    const one = shown.at(asking.nth ?? 0) ?? shown[0]!
    return describeOne(asked, one, asking.nth !== null && aspect === 'find' ? 'about' : aspect)
  }
  if (aspect === 'compare' && named.length > 0) {
    const two = await products.facts(pickNamed(named, asking).slice(0, 3))
    if (two.length > 1) return compare(asked, two)
  }
  if (named.length > 0 && aspect !== 'similar' && asking.sort === null) {
    const ids = pickNamed(named, AS_KIND.test(asked.text) ? { ...asking, categoryId: null } : asking)
    const facts = await products.facts(ids.slice(0, MAX_SHOWN))
    const alone = facts[0]
    const isRange = asking.price !== null && asking.price.from !== asking.price.to
    const others =
      isRange &&
      asking.price !== null &&
      alone !== undefined &&
      (alone.cents < asking.price.from || alone.cents > asking.price.to)
    if (alone && !others) {
      const isOnly = named.length === 1 || named[0]!.score - named[1]!.score > 0.15
      return describeOne(asked, alone, aspect === 'find' ? 'about' : aspect, isOnly ? [] : facts.slice(1))
    }
  }
  return search(asked, shown)
}

const pickNamed = (named: ProductHit[], { price, categoryId }: Asking) =>
  named
    .filter(
      ({ cents, categoryId: own }) =>
        (!price || (cents >= price.from && cents <= price.to)) && (!categoryId || own === categoryId),
    )
    .concat(named)
    .map(({ id }) => id)
    .filter((id, i, all) => all.indexOf(id) === i)

async function search(asked: ProductQuestion, shown: ProductFacts[]): Promise<Draft | null> {
  const { follows, aspect, tools, text } = asked
  const own = asked.asking
  const isMore = /\b(?:else|more|other|another|similar)\b/.test(text)
  const hasOwn = own.categoryId !== null || own.price !== null || own.sort !== null || own.isCheaper
  const keeps = follows && !(asked.isNewTopic && own.topic.length > 0)
  const topic = own.topic.length > 0 ? own.topic : (keeps && follows.topic) || []
  const common =
    shown.length > 0 && shown.every(({ categoryId }) => categoryId === shown[0]!.categoryId)
      ? shown[0]!.categoryId
      : null
  const asking: Asking = {
    ...own,
    topic,
    categoryId:
      own.categoryId ?? (follows ? (follows.categoryId ?? (hasOwn && own.topic.length === 0 ? common : null)) : null),
    price: own.price ?? (keeps ? (follows.price ?? null) : null),
    sort: own.sort ?? (keeps ? (follows.sort ?? null) : null),
  }
  if (own.isCheaper && shown.length > 0)
    asking.price = { from: 0, to: Math.min(...shown.map(({ cents }) => cents)) - 1 }
  const isSimilar = aspect === 'similar' && shown.length > 0
  if (isSimilar) {
    asking.topic = [...topicOf(shown[0]!)]
    asking.categoryId ??= shown[0]!.categoryId
  }
  const skip = new Set(isMore || isSimilar ? shown.map(({ id }) => id) : [])
  const { rate, readBeyond, isWhole } = tools.products
  // a larger shop is searched again, with the conditions of both questions
  const isRatedAlready =
    asked.found !== undefined && (asking.topic.length === 0 || asking.topic === own.topic) && (!follows || isWhole())
  const rated = isRatedAlready
    ? asked.found!
    : await rate(asking.topic, asked.vector, await readBeyond(asking.topic, asking))
  let chosen = choose(rated, asking, skip)
  // 'the cheapest one' of a single product that is already shown asks about others of its kind
  const isSame = chosen.count === 1 && chosen.first[0]!.id === shown[0]?.id
  if (isSame && own.sort !== null && own.topic.length === 0) {
    asking.topic = []
    chosen = choose(rated, asking, skip)
  }
  // another kind of goods seldom has the same topic, and few products are alike
  if (chosen.count === 0 && (isSimilar || own.topic.length === 0) && asking.topic.length > 0) {
    asking.topic = []
    chosen = choose(rated, asking, skip)
  }
  // conditions of the first question may not fit the second
  if (chosen.count === 0 && follows && own.categoryId && !own.price)
    chosen = choose(rated, { ...asking, price: null }, skip)
  const facts = await tools.products.facts(chosen.first.map(({ id }) => id))
  if (facts.length === 0) return null
  const isAboutOne =
    aspect !== 'find' && aspect !== 'similar' && aspect !== 'compare' && asking.sort === null && own.topic.length > 0
  if (isAboutOne && !follows) return describeOne(asked, facts[0]!, aspect, facts.slice(1))
  return draft({
    intent: 'find',
    confidence: asked.confidence,
    text: introduce(facts, tools.products.isWhole() ? chosen.count : facts.length, asking),
    products: facts.map(({ id }) => id),
    tools: ['products'],
    sources: facts.map(({ id }) => `/product/${id}`),
    frame: {
      kind: 'products',
      intent: 'find',
      topic: asking.topic,
      categoryId: asking.categoryId,
      price: asking.price,
      sort: asking.sort,
      ids: facts.map(({ id }) => id),
      before: facts.length === 1 ? shownBefore(asked.frame, [facts[0]!.id]) : [],
    },
  })
}

const topicOf = ({ title, category }: ProductFacts) => `${title} ${category}`.toLowerCase().match(/[\p{L}]{4,}/gu) ?? []

const SORTED: Partial<Record<NonNullable<Asking['sort']>, string>> = {
  'price-asc': 'cheapest first',
  'price-desc': 'most expensive first',
  newest: 'newest first',
  rating: 'best rated first',
  popular: 'most bought first',
}

function introduce(facts: ProductFacts[], count: number, asking: Asking): string {
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

/** 'from $3.00' where buyers choose the price or a variant. */
const amount = ({ cents, suggested, isFrom }: ProductFacts) =>
  suggested !== null || isFrom ? `from ${usd(cents)}` : priceText(cents)

function describeOne(asked: ProductQuestion, one: ProductFacts, aspect: Aspect, others: ProductFacts[] = []): Draft {
  const title = quoted(one.title)
  const price =
    one.suggested !== null
      ? `You choose the price of ${title}, from ${usd(one.cents)}.`
      : one.cents === 0 && !one.isFrom
        ? `${title} is free.`
        : `${title} costs ${amount(one)}.`
  const rating =
    one.stars === null
      ? `${title} has no reviews yet.`
      : `${title} is rated ${one.stars} of 5 stars in ${plural(one.reviews, 'review')}${samplesOf(one)}.`
  const said: Record<Aspect, string> = {
    price: /\b(?:good|rated|reviews?|stars)\b/.test(asked.text) ? `${price} ${rating}` : price,
    stock: `${answerKind(asked, one)}${stockOf(one)}`,
    rating,
    seller: `${title} is sold by ${quoted(one.seller)}.`,
    about: `${title}, ${amount(one)}, in ${quoted(one.category)}. ${firstSentence(one.brief)}`.trim(),
    ...{ find: '', compare: '', similar: '', range: '' },
  }
  const ids = [one, ...others].map(({ id }) => id)
  return draft({
    intent: aspect,
    confidence: asked.confidence,
    text: said[aspect] || said.about,
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

/** Matches 'Is Night Train available as an e-book?' */
const AS_KIND = /\bavailable (?:as|in) (?:an? )?/

function answerKind(
  { text, asking: { categoryId } }: ProductQuestion,
  { categoryId: own, title, category }: ProductFacts,
) {
  if (categoryId === null || !AS_KIND.test(text)) return ''
  return categoryId === own ? 'Yes. ' : `No. ${quoted(title)} is sold in ${quoted(category)} only. `
}

/** The product of the answer before, which 'the difference between them' means too. */
const shownBefore = (frame: Frame | null, ids: string[]): string[] => {
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

function compare(asked: ProductQuestion, some: ProductFacts[]): Draft | null {
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
