import type { Draft, Frame } from './answer.ts'
import { asksForPart, asksOr, beginsAgain, goesOn, hasCondition } from './asking.rules.ts'
import { CONFIDENCE, GOING_ON, SURE } from './certainty.rules.ts'
import { answerFromHelp } from './helpAnswer.server.ts'
import { hasArticle, hasPurchases, slugOf } from './intent.rules.ts'
import { answerAboutPurchases } from './orderAnswer.server.ts'
import type { ProductMatch } from './productMatch.server.ts'
import { type Aspect, readAspect } from './products/aspect.rules.ts'
import { answerAboutProducts } from './products/productAnswer.server.ts'
import type { Reading } from './reading.server.ts'
import { answerByRules, type Rule } from './rule.ts'
import { nextTurn } from './turn.server.ts'
import { coverage, stemsOf, weighAll } from './words.rules.ts'

/** A question that may be a follow-up. */
export type FollowUp = Reading & {
  frame: Frame
  shop: ProductMatch
  aspect: Aspect
  /** The question contains a price, a category or an order. */
  isLimited: boolean
  /** The score of the best passage of all articles. */
  passageScore: number
  /** A passage of the shown article contains most words of the question. */
  isInArticle: boolean
}

/** The question is not a follow-up and is answered without context. */
const answerAnew = () => null

const answerOtherArticle = (question: FollowUp): Draft | null =>
  question.best && answerFromHelp(question, slugOf(question.best.intent), question.best.score)

/** The question has a topic, but no other condition on products. */
const isTopicAlone = ({ isLimited, aspect, asking }: FollowUp) => !isLimited && aspect === 'find' && asking.nth === null

export const AFTER_PRODUCTS: Rule<FollowUp>[] = [
  {
    name: 'another product by its name',
    when: ({ shop, text }) => shop.named.length > 0 && beginsAgain(text),
    answer: (question) =>
      answerAboutProducts({
        ...question,
        aspect: question.aspect === 'find' ? 'about' : question.aspect,
        confidence: CONFIDENCE.named,
        named: question.shop.named,
      }),
  },
  {
    name: 'an example matches the question',
    when: ({ best, isLimited, aspect }) =>
      best !== null && best.score >= GOING_ON.elsewhere && !isLimited && aspect === 'find',
    answer: answerAnew,
  },
  {
    name: 'an article matches the question',
    when: ({ best, isLimited, aspect }) =>
      !isLimited &&
      hasArticle(best, GOING_ON.article) &&
      (aspect === 'find' || best.score > GOING_ON.articleDespiteAspect),
    answer: answerAnew,
  },
  {
    name: 'a topic that no product fits',
    when: (question) =>
      isTopicAlone(question) &&
      (question.shop.score < GOING_ON.newTopic || question.passageScore > GOING_ON.passageDespiteTopic),
    answer: answerAnew,
  },
  {
    name: 'more about products',
    when: (question) => !isTopicAlone(question) || question.asking.topic.length > 0,
    answer: (question) =>
      answerAboutProducts({
        ...question,
        confidence: CONFIDENCE.products,
        found: question.shop.found,
        follows: question.frame,
        ...(isTopicAlone(question) && { isNewTopic: true }),
      }),
  },
]

const hasConditionsAlone = ({ isLimited, asking }: FollowUp) => isLimited && asking.topic.length === 0

const ABOUT_SHOWN_ORDER = /^(?:is|was|are|were|which|how many)\b.*\b(?:it|they|that|order|things)\b/
const REFERS_TO_ORDER = /\b(?:it|which|paid|many)\b/i

const answerAboutShownOrders = (question: FollowUp) => answerAboutPurchases('follow', question, CONFIDENCE.orders)

export const AFTER_ORDERS: Rule<FollowUp>[] = [
  { name: 'conditions of products', when: hasConditionsAlone, answer: answerAnew },
  {
    name: 'the order that was shown',
    when: ({ text, best }) => ABOUT_SHOWN_ORDER.test(text) && !hasArticle(best, GOING_ON.articleDespiteShown),
    answer: answerAboutShownOrders,
  },
  {
    name: 'an article after orders',
    when: ({ best }) => hasArticle(best, GOING_ON.intentAfterOrders),
    answer: answerOtherArticle,
  },
  {
    name: 'other orders',
    when: ({ best }) => hasPurchases(best, GOING_ON.intentAfterOrders),
    answer: (question) => question.best && answerAboutPurchases(question.best.intent, question, question.best.score),
  },
  {
    name: 'a passage of an article',
    when: ({ passageScore, text }) => passageScore > GOING_ON.passageAfterOrders && !REFERS_TO_ORDER.test(text),
    answer: answerAnew,
  },
  { name: 'more about the orders', when: () => true, answer: answerAboutShownOrders },
]

export const AFTER_ARTICLE: Rule<FollowUp>[] = [
  {
    name: 'conditions of products',
    when: (question) => hasConditionsAlone(question) && !(question.isInArticle && asksOr(question.text)),
    answer: answerAnew,
  },
  {
    name: 'another passage of the article',
    when: ({ isInArticle, best }) => isInArticle && !(best && best.score >= SURE.same),
    answer: (question) => answerFromHelp(question, question.frame.slug ?? '', CONFIDENCE.passage),
  },
  {
    name: 'another article',
    when: ({ best, frame }) => hasArticle(best, GOING_ON.otherArticle) && slugOf(best.intent) !== frame.slug,
    answer: answerOtherArticle,
  },
  {
    name: 'orders after an article',
    when: ({ best }) => hasPurchases(best, GOING_ON.ordersAfterArticle),
    answer: answerAnew,
  },
  {
    name: 'products after an article',
    when: ({ shop, asking, text }) =>
      shop.named.length > 0 ||
      (shop.score > GOING_ON.shopAfterArticle && asking.topic.length > 0 && !asksForPart(text)),
    answer: answerAnew,
  },
  {
    name: 'more about the article',
    when: () => true,
    answer: (question) => answerFromHelp(question, question.frame.slug ?? '', CONFIDENCE.sameArticle),
  },
]

const RULES = { products: AFTER_PRODUCTS, orders: AFTER_ORDERS, help: AFTER_ARTICLE }

/** Answers a follow-up. Returns null if the question does not depend on the last answer. */
export async function follow(reading: Reading, shop: ProductMatch): Promise<Draft | null> {
  const { frame, text, asking } = reading
  if (frame === null || (frame.kind === 'help' && !frame.slug)) return null
  const aspect = readAspect(text)
  const isAspectAlone = frame.kind === 'products' && asking.topic.length === 0 && aspect !== 'find'
  if (!goesOn(text) && !isAspectAlone && !asking.isCheaper) return null
  await nextTurn()
  const { passages } = reading.tools
  const rated = passages.rate(stemsOf(text), reading.vector)
  const own = rated.find(({ passage }) => passage.slug === frame.slug)
  const asked = weighAll(stemsOf(text), passages.weigh)
  return answerByRules(RULES[frame.kind], {
    ...reading,
    ...{ frame, shop, aspect },
    isLimited: hasCondition(asking) || asking.isCheaper,
    passageScore: rated[0]?.score ?? 0,
    isInArticle: own !== undefined && coverage(asked, own.passage.stems) >= GOING_ON.here,
  })
}
