import { describe, expect, test } from 'vitest'
import { hasCondition, readAsking } from './asking.rules.ts'
import { GOING_ON, SURE } from './certainty.rules.ts'
import { AFTER_ARTICLE, AFTER_ORDERS, AFTER_PRODUCTS, type FollowUp } from './followUpRules.server.ts'
import { MESSAGE_RULES } from './messageRules.server.ts'
import { ORDER_RULES, type OrderQuestion, PURCHASE_RULES } from './orderAnswer.server.ts'
import { readAspect } from './products/aspect.rules.ts'
import { PRODUCT_RULES, type ProductReading } from './products/productAnswer.server.ts'
import { type Choice, RELAXATIONS } from './products/productSearch.server.ts'
import type { ProductFacts, ProductHit, Rated } from './products/products.server.ts'
import type { Purchase } from './purchases.server.ts'
import type { Reading } from './reading.server.ts'
import { findRule, type Rule } from './rule.ts'
import { type Scored, SCORED_RULES } from './scoredRules.server.ts'

// Each rule of a table has a question that it answers. demo/assistant.test.ts measures the answers.

const CATEGORIES = [
  { id: 'ebooks', name: 'E-books' },
  { id: 'audio', name: 'Audio' },
]
const NO_PRODUCTS: Rated = {
  items: [],
  words: new Float64Array(),
  meanings: new Float64Array(),
  scores: new Float64Array(),
}

function read(text: string, more: Partial<Reading> = {}): Reading {
  const asking = readAsking(text, CATEGORIES)
  const none = { vector: null, frame: null, best: null, lesson: null, otherLanguage: null }
  return { userId: '', text, typed: text, asking, tools: {} as Reading['tools'], ranked: [], ...none, ...more }
}
const nearest = (intent: string, score: number): Pick<Reading, 'best'> => ({ best: { intent, score, text: '' } })

const hit: ProductHit = {
  ...{ id: 'train', title: 'Night Train', brief: '', categoryId: 'audio', category: 'Audio' },
  ...{ cents: 400, rated: 0, age: 0, buyers: 0, score: 1, words: 1, meaning: 0 },
}
const facts: ProductFacts = {
  ...{ id: 'train', title: 'Night Train', brief: '', categoryId: 'audio', category: 'Audio', seller: 'Ann' },
  ...{ cents: 400, suggested: null, least: 400, stars: null, reviews: 0, samples: 0, delivery: 'file' },
  ...{ hasVariants: false, isFrom: false, isSupplied: false, left: null },
}
const order: Purchase = {
  ...{ id: '1', status: 'completed', code: 'paid', cents: 400, at: '', minutesLeft: null, isHeld: false },
  lines: [{ title: 'Night Train', quantity: 1, delivery: 'file', productId: 'train' }],
}
const noMatch = { named: [], found: NO_PRODUCTS, score: 0 }

function testRules<Question>(title: string, rules: readonly Rule<Question>[], questions: Record<string, Question>) {
  describe(title, () => {
    test.each(rules.map(({ name }) => [name]))('%s', (name) => {
      const question = questions[name]
      if (question === undefined) throw new Error(`no question for the rule: ${name}`)
      expect(findRule(rules, question)?.name).toBe(name)
    })
    test('every rule has a test question', () => {
      expect(Object.keys(questions).toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
    })
  })
}

testRules('message', MESSAGE_RULES, {
  'a lesson of staff': read('do you deliver', { lesson: { intent: 'lesson:1', score: SURE.lesson, text: 'No.' } }),
  'another language': read('bonjour', { otherLanguage: 'Pardon' }),
  'a person': read('talk to a human'),
  'a greeting': read('hello', nearest('greeting', SURE.social)),
})

test('no message rule answers a question about products', () => {
  expect(findRule(MESSAGE_RULES, read('i need a person who sells the cheapest book'))).toBeUndefined()
  expect(findRule(MESSAGE_RULES, read('hello, books under $5', nearest('greeting', 1)))).toBeUndefined()
})

function goOn(kind: 'products' | 'orders' | 'help', text: string, more: Partial<FollowUp> = {}): FollowUp {
  const reading = read(text)
  return {
    ...reading,
    frame: { kind, intent: '', slug: 'refunds' },
    shop: noMatch,
    aspect: readAspect(text),
    isLimited: hasCondition(reading.asking) || reading.asking.isCheaper,
    passageScore: 0,
    isInArticle: false,
    ...more,
  }
}

testRules('after products', AFTER_PRODUCTS, {
  'another product by its name': goOn('products', 'what about night train', { shop: { ...noMatch, named: [hit] } }),
  'an example matches the question': goOn('products', 'and my orders', nearest('orders', GOING_ON.elsewhere)),
  'an article matches the question': goOn('products', 'and a refund', nearest('help:refunds', GOING_ON.article)),
  'a topic that no product fits': goOn('products', 'and hats'),
  'more about products': goOn('products', 'something cheaper'),
})

test("an article needs a better match if the question is about a product's price", () => {
  const question = goOn('products', 'how much is it', nearest('help:refunds', GOING_ON.article))
  expect(findRule(AFTER_PRODUCTS, question)?.name).toBe('more about products')
})

testRules('after orders', AFTER_ORDERS, {
  'conditions of products': goOn('orders', 'under $5'),
  'the order that was shown': goOn('orders', 'is it paid'),
  'an article after orders': goOn('orders', 'and refunds', nearest('help:refunds', GOING_ON.intentAfterOrders)),
  'other orders': goOn('orders', 'and the pending', nearest('pending', GOING_ON.intentAfterOrders)),
  'a passage of an article': goOn('orders', 'and gift wrapping', { passageScore: GOING_ON.passageAfterOrders + 0.01 }),
  'more about the orders': goOn('orders', 'and then'),
})

testRules('after an article', AFTER_ARTICLE, {
  'conditions of products': goOn('help', 'under $5'),
  'another passage of the article': goOn('help', 'and for codes', { isInArticle: true }),
  'another article': goOn('help', 'and gifts', nearest('help:gifts', GOING_ON.otherArticle)),
  'orders after an article': goOn('help', 'and my orders', nearest('orders', GOING_ON.ordersAfterArticle)),
  'products after an article': goOn('help', 'what about night train', { shop: { ...noMatch, named: [hit] } }),
  'more about the article': goOn('help', 'and then'),
})

const score = (text: string, more: Partial<Scored> = {}): Scored => ({
  ...read(text),
  shop: noMatch,
  article: { slug: 'refunds', score: 0 },
  purchases: { intent: 'orders', score: 0 },
  rangeScore: 0,
  top: 0.5,
  ...more,
})

testRules('scored', SCORED_RULES, {
  'rude words alone': score('you are stupid'),
  'nothing fits': score('weather', { top: SURE.least - 0.01 }),
  'an example about orders': score('my orders', nearest('orders', SURE.same)),
  'an example about an article': score('refunds', nearest('help:refunds', SURE.same)),
  'the categories': score('what do you sell', { rangeScore: 0.5 }),
  'the orders of the member': score('my things', { purchases: { intent: 'owned', score: 0.5 } }),
  products: score('bread', { shop: { ...noMatch, score: 0.5 } }),
  'an article': score('money back', { article: { slug: 'refunds', score: 0.5 } }),
})

const purchase = (intent: string, text = '', more: Partial<OrderQuestion> = {}): OrderQuestion => ({
  ...{ ...read(text), intent, confidence: 1, all: [order, order], named: [] },
  ...more,
})

testRules('purchases', PURCHASE_RULES, {
  'money spent': purchase('spent'),
  'store credit': purchase('credit'),
  'an order by its number': purchase('orders', 'order 1234abcd'),
  'the library': purchase('follow', 'how many', { frame: { kind: 'orders', intent: 'owned' } }),
})

testRules('orders', ORDER_RULES, {
  'no orders': purchase('orders', '', { all: [] }),
  'the orders that were shown': purchase('follow'),
  'orders by status': purchase('refunded'),
  'codes and keys': purchase('code'),
  files: purchase('files'),
  'an order by a title in it': purchase('orders', 'night train', { named: [order] }),
  'the newest order': purchase('orders', 'my latest order'),
  'all orders': purchase('orders', 'my orders'),
})

const productsIn = (text: string, more: Partial<ProductReading> = {}): ProductReading => ({
  ...{ ...read(text), aspect: readAspect(text), confidence: 1, shown: [], namedFacts: [] },
  ...more,
})
const follows = { kind: 'products' as const, intent: 'find', ids: ['train'] }

testRules('products', PRODUCT_RULES, {
  'the categories': productsIn('what do you sell', { aspect: 'range' }),
  'a comparison of what was shown': productsIn('compare them', { follows, shown: [facts, facts] }),
  'one of what was shown': productsIn('the second one', { follows, shown: [facts, facts] }),
  'a comparison of named products': productsIn('night train vs rain', {
    named: [hit, hit],
    namedFacts: [facts, facts],
  }),
  'a named product': productsIn('how much is night train', { named: [hit], namedFacts: [facts] }),
  'a search': productsIn('books about bread'),
})

test('searches for a named product that is outside the price range', () => {
  const question = productsIn('night train under $2', { named: [hit], namedFacts: [facts] })
  expect(findRule(PRODUCT_RULES, question)?.name).toBe('a search')
})

const choice = (text: string, more: Partial<Choice> = {}): Choice => {
  const question = productsIn(text, { follows })
  return {
    ...{ question, shown: [facts], rated: NO_PRODUCTS, skip: new Set(), isSimilar: false, asking: question.asking },
    chosen: { count: 0, first: [] },
    ...more,
  }
}
const withTopic = { ...readAsking('bread', CATEGORIES), price: { from: 0, to: 500 } }

test.each<[name: string, choice: Choice, changed: object]>([
  ['only the shown product fits', choice('the cheapest one', { chosen: { count: 1, first: [hit] } }), { topic: [] }],
  ['nothing has the topic', choice('in audio', { asking: withTopic }), { topic: [] }],
  ['nothing in the category has the earlier price', choice('in audio', { asking: withTopic }), { price: null }],
])('relaxation: %s', (name, given, changed) => {
  const relaxation = RELAXATIONS.find((one) => one.name === name)
  expect(relaxation?.when(given)).toBe(true)
  expect(relaxation?.relax(withTopic)).toEqual({ ...withTopic, ...changed })
})
