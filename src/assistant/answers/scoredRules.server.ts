import type { Draft } from './answer.ts'
import { CONFIDENCE, MAX_PASSAGES, scoreOfPassage, scoreOfPurchases, SURE } from './certainty.rules.ts'
import { answerFromHelp } from './helpAnswer.server.ts'
import { hasArticle, hasPurchases, isArticle, PURCHASE_INTENTS, slugOf } from './intent.rules.ts'
import { answerAboutPurchases } from './orderAnswer.server.ts'
import type { ProductMatch } from './productMatch.server.ts'
import { readAspect } from './products/aspect.rules.ts'
import { answerAboutProducts } from './products/productAnswer.server.ts'
import type { Reading } from './reading.server.ts'
import type { Rule } from './rule.ts'
import { answerSocially, isRude } from './social.rules.ts'
import { unsure } from './unsure.server.ts'
import { stemsOf } from './words.rules.ts'

/** A question with a score for each source of answers. */
export type Scored = Reading & {
  shop: ProductMatch
  article: { slug: string | undefined; score: number }
  purchases: { intent: string; score: number }
  /** The score of the list of categories. */
  rangeScore: number
  top: number
}

/** Scores the articles, the member's orders, the products and the list of categories. */
export function scoreAnswers(reading: Reading, shop: ProductMatch): Scored {
  const { text, ranked, asking } = reading
  const article = findArticle(reading)
  const own = ranked.find(({ intent }) => PURCHASE_INTENTS.has(intent))
  const purchases = {
    intent: own?.intent ?? 'orders',
    score: scoreOfPurchases({ text, example: own?.score, hasNumber: asking.order !== null }),
  }
  const rangeScore = ranked.find(({ intent }) => intent === 'range')?.score ?? 0
  const top = Math.max(purchases.score, article.score, shop.score, rangeScore)
  return { ...reading, shop, article, purchases, rangeScore, top }
}

/** Returns the best-scoring help article, by example questions and by passages. */
function findArticle({ text, vector, ranked, tools }: Reading): Scored['article'] {
  const scores = new Map<string, number>()
  for (const { intent, score } of ranked)
    if (isArticle(intent)) scores.set(slugOf(intent), Math.max(score, scores.get(slugOf(intent)) ?? 0))
  for (const { passage, score } of tools.passages.rate(stemsOf(text), vector).slice(0, MAX_PASSAGES))
    scores.set(passage.slug, scoreOfPassage(score, scores.get(passage.slug)))
  const [best] = [...scores].toSorted(([, a], [, b]) => b - a)
  return { slug: best?.[0], score: best?.[1] ?? 0 }
}

/** The question is almost an example, without a product or free goods. */
const isExample = ({ shop, asking }: Scored) => shop.named.length === 0 && asking.price?.to !== 0

function answerArticle(question: Scored): Draft {
  const { slug, score } = question.article
  return slug === undefined ? unsure(question, score, slug) : answerFromHelp(question, slug, Math.min(1, score))
}

export const SCORED_RULES: Rule<Scored>[] = [
  {
    name: 'rude words alone',
    when: ({ top, typed }) => top < SURE.rude && isRude(typed),
    answer: ({ tools }) => answerSocially('abuse', tools.storeName, CONFIDENCE.abuse),
  },
  {
    name: 'nothing fits',
    when: ({ top }) => top < SURE.least,
    answer: (question) => unsure(question, question.top, question.article.slug),
  },
  {
    name: 'an example about orders',
    when: (question) => isExample(question) && hasPurchases(question.best, SURE.same),
    answer: (question) => question.best && answerAboutPurchases(question.best.intent, question, question.best.score),
  },
  {
    name: 'an example about an article',
    when: (question) => isExample(question) && hasArticle(question.best, SURE.same),
    answer: (question) => question.best && answerFromHelp(question, slugOf(question.best.intent), question.best.score),
  },
  {
    name: 'the categories',
    when: ({ rangeScore, top }) => rangeScore === top,
    answer: (question) => answerAboutProducts({ ...question, aspect: 'range', confidence: question.top }),
  },
  {
    name: 'the orders of the member',
    when: ({ purchases, top }) => purchases.score === top,
    answer: (question) => answerAboutPurchases(question.purchases.intent, question, question.top),
  },
  {
    name: 'products',
    when: ({ shop, top }) => shop.score === top,
    async answer(question) {
      const { shop, article, text, top } = question
      const found = await answerAboutProducts({
        ...question,
        aspect: readAspect(text),
        confidence: top,
        found: shop.found,
        named: shop.named,
      })
      return found.isUnsure && article.score >= SURE.least ? answerArticle(question) : found
    },
  },
  { name: 'an article', when: () => true, answer: answerArticle },
]
