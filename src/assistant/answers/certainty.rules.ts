import { type Asking, hasCondition } from './asking.rules.ts'
import type { Aspect } from './products/aspect.rules.ts'

// How sure the assistant must be, and how sure it is, from 0 to about 1. demo/assistant.test.ts measures these values: change
// one, run it, and keep the change only if more questions of the bank are right.

/** Of a question that stands for itself. */
export const SURE = {
  /** To give what staff taught. */
  lesson: 0.7,
  /** To greet, thank or say what it is. */
  social: 0.62,
  /** An example says nearly the same: no other reading is weighed. */
  same: 0.85,
  /** Below this it says that it does not know. */
  least: 0.4,
  /** Below this rude words are all that was said. */
  rude: 0.6,
}

/** Of a question that may go on with the answer before. */
export const GOING_ON = {
  /** An example matches so well that the question is a new one. */
  elsewhere: 0.72,
  /** After products an article answers: when nothing about a product is asked, and when a word such as 'price' is there. */
  article: 0.55,
  articleDespiteAspect: 0.68,
  /** A new topic needs products that fit, and no passage of an article that fits as well. */
  newTopic: 0.5,
  passageDespiteTopic: 0.85,
  /** The shown article has a passage that holds so much of the question. */
  here: 0.55,
  /** After orders: an article despite 'is it …?', an intent of orders or an article, and a passage of any article. */
  articleDespiteShown: 0.75,
  intentAfterOrders: 0.5,
  passageAfterOrders: 0.6,
  /** After an article: another one, an intent of orders, and products. */
  otherArticle: 0.62,
  ordersAfterArticle: 0.6,
  shopAfterArticle: 0.75,
}

/** What an answer that goes on counts as. */
export const CONFIDENCE = {
  ...{ named: 0.85, products: 0.8, orders: 0.65, passage: 0.65, sameArticle: 0.6 },
  ...{ person: 0.9, abuse: 0.7 },
}

/** So many passages join the examples of their articles. */
export const MAX_PASSAGES = 6
/** How much a passage counts for its article, which an example may have found already. */
export const scoreOfPassage = (score: number, ofExample: number | undefined) =>
  ofExample === undefined ? 0.55 * score : Math.max(ofExample, 0.55 * score) + 0.05 * score

const NOT_MINE = /^(?:do|can|may) i\b|\bshow me\b|\bi (?:need|want|am|like|look)\b|\bim\b/gi
const MINE = /\b(?:my|mine|i|ive|me|which of my)\b/i
const TROUBLE = /\b(?:used|invalid|refused|expired|broken|fails?|failed|working)\b/
const BOUGHT = /\b(?:orders?|ordered|bought|purchased?|paid)\b/

/** How well the member's orders answer; `example` is the best match of their intents. */
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
/** A member who sells asks about selling. */
const SELLS = /\b(?:i|we)\b(?:(?!\byou\b).)*\b(?:sell|publish|upload)\b/

/** How well the products on sale answer; `best` are the highest marks of them, `named` that of the title that the text names. */
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
