import { type Asking, hasCondition } from './asking.rules.ts'
import type { Aspect } from './products/aspect.rules.ts'

// Thresholds and weights of confidence, from 0 to about 1. demo/assistant.test.ts measures them: after a change, run
// it, and commit only if more questions of the bank are right.

/** Thresholds for a question without a context. */
export const SURE = {
  /** To return an answer that staff wrote. */
  lesson: 0.7,
  /** To greet, thank or introduce itself. */
  social: 0.62,
  /** An example is almost the same, so no other reading is considered. */
  same: 0.85,
  /** Below this the assistant answers that it does not know. */
  least: 0.4,
  /** Below this a rude message has no other content. */
  rude: 0.6,
}

/** Thresholds for the meanings that are offered after a wrong answer. */
export const MEANT = {
  /** An example below this shares almost no word with the question. */
  least: 0.15,
}

/** Thresholds for a possible follow-up. */
export const GOING_ON = {
  /** An example matches so well that the question is not a follow-up. */
  elsewhere: 0.72,
  /** After products, to answer with an article: without a question about a product, and with a word such as 'price'. */
  article: 0.55,
  articleDespiteAspect: 0.68,
  /** A new topic needs matching products, and no passage of an article that matches better. */
  newTopic: 0.5,
  passageDespiteTopic: 0.85,
  /** A passage of the shown article contains this share of the question. */
  here: 0.55,
  /** After orders: an article despite 'is it …?', an intent of orders or an article, and a passage of any article. */
  articleDespiteShown: 0.75,
  intentAfterOrders: 0.5,
  passageAfterOrders: 0.6,
  /** After an article: another article, an intent of orders, and products. */
  otherArticle: 0.62,
  ordersAfterArticle: 0.6,
  shopAfterArticle: 0.75,
}

/** The confidence of answers to follow-ups. */
export const CONFIDENCE = {
  ...{ named: 0.85, products: 0.8, orders: 0.65, passage: 0.65, sameArticle: 0.6 },
  ...{ person: 0.9, abuse: 0.7 },
}

/** The number of passages that are scored together with the examples. */
export const MAX_PASSAGES = 6
/** Adds the score of a passage to the score of its article's examples, if any. */
export const scoreOfPassage = (score: number, ofExample: number | undefined) =>
  ofExample === undefined ? 0.55 * score : Math.max(ofExample, 0.55 * score) + 0.05 * score

const NOT_MINE = /^(?:do|can|may) i\b|\bshow me\b|\bi (?:need|want|am|like|look)\b|\bim\b/gi
const MINE = /\b(?:my|mine|i|ive|me|which of my)\b/i
const TROUBLE = /\b(?:used|invalid|refused|expired|broken|fails?|failed|working)\b/
const BOUGHT = /\b(?:orders?|ordered|bought|purchased?|paid)\b/

/** Scores an answer from the member's orders; `example` is the best match of their intents. */
export function scoreOfPurchases({
  text,
  example,
  hasNumber,
}: {
  text: string
  example: number | undefined
  hasNumber: boolean
}): number {
  if (example === undefined) return hasNumber ? 0.6 : 0
  const isMine = MINE.test(text.replace(NOT_MINE, ' '))
  const isBought = isMine && !TROUBLE.test(text) && BOUGHT.test(text)
  return example + (isMine ? 0.08 : -0.15) + (isBought && example >= 0.4 ? 0.25 : 0) + (hasNumber ? 0.4 : 0)
}

const LOOKS_FOR =
  /\b(?:do you (?:sell|have)|any|looking for|show me|recommend|something|i need|i want|gift for|present for|learn|template)\b/i
/** 'show me all gift cards' */
const LISTS_ALL = /^(?:please )?(?:show|list|browse)\b(?!.*\bmy\b)/
/** Matches a member who asks about selling. */
const SELLS = /\b(?:i|we)\b(?:(?!\byou\b).)*\b(?:sell|publish|upload)\b/

/** Scores the products on sale. `best`: their highest scores; `named`: the score of a title in the text. */
export function scoreOfShop({
  text,
  asking,
  aspect,
  best,
  named,
}: {
  text: string
  asking: Asking
  aspect: Aspect
  best: BestMarks
  named: number | undefined
}): number {
  const isOrdered = asking.sort !== null || asking.price !== null
  const hasTopic = asking.topic.length > 0
  let score = hasTopic ? scoreOfTopic(asking, best, isOrdered) : scoreOfConditions(text, asking, isOrdered)
  if (named !== undefined) score = Math.max(score, 0.62 + 0.2 * named) + (aspect === 'find' ? 0 : 0.12)
  if (hasTopic && LOOKS_FOR.test(text)) score += 0.06
  if (SELLS.test(text)) score -= 0.35
  return Math.min(score, 0.98)
}

type BestMarks = { score: number; words: number; meaning: number }

function scoreOfTopic(asking: Asking, best: BestMarks, isOrdered: boolean): number {
  const fit = 0.78 * best.words + 0.5 * Math.max(0, best.meaning - 0.4) + (best.score > 0.9 ? 0.08 : 0)
  let score = Math.min(0.95, fit)
  if (hasCondition(asking) && score > 0) score += isOrdered ? 0.22 : 0.15
  return isOrdered ? Math.max(score, 0.45) : score
}

function scoreOfConditions(text: string, asking: Asking, isOrdered: boolean): number {
  if (!hasCondition(asking)) return 0
  if (asking.price?.to === 0) return 0.95
  return isOrdered || LISTS_ALL.test(text) ? 0.85 : 0.6
}
