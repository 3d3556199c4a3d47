import type pg from 'pg'
import type { Meaning } from '../../kit/meaning/meaning.server.ts'
import type { Help } from '../help/help.server.ts'
import type { Draft } from './answer.ts'
import { follow } from './followUpRules.server.ts'
import { openIntents } from './intent.server.ts'
import { openLessons } from './lessons.server.ts'
import { meaningsOf } from './meanings.rules.ts'
import { MESSAGE_RULES } from './messageRules.server.ts'
import { openPassages } from './passages.server.ts'
import { matchProducts, type ProductMatch } from './productMatch.server.ts'
import { openProducts, type Products } from './products/products.server.ts'
import { openReader, type Question } from './reading.server.ts'
import { answerByRules } from './rule.ts'
import { scoreAnswers, SCORED_RULES } from './scoredRules.server.ts'
import { isAttack, refuse } from './social.rules.ts'
import { nextTurn } from './turn.server.ts'
import { unsure } from './unsure.server.ts'

export type Mind = ReturnType<typeof openMind>

/** Opens the local assistant: its knowledge and its tools. The tools only read, for the member who asks. */
export function openMind({
  pool,
  help,
  meaning,
  storeName,
  products = openProducts(pool, meaning),
}: {
  pool: pg.Pool
  help: Help
  meaning: Meaning
  storeName: string
  products?: Products
}) {
  const passages = openPassages(help, meaning)
  const intents = openIntents(meaning)
  const lessons = openLessons(pool, intents)
  const read = openReader({ tools: { pool, products, passages, help, storeName }, meaning, intents, lessons })

  async function answer(question: Question): Promise<Draft> {
    if (isAttack(question.text)) return refuse(storeName)
    const reading = await read(question)
    const early = await answerByRules(MESSAGE_RULES, reading)
    if (early) return early
    const shop = await matchProducts(reading)
    const followed = await follow(reading, shop)
    if (followed) return followed
    await nextTurn()
    const scored = scoreAnswers(reading, shop)
    return (await answerByRules(SCORED_RULES, scored)) ?? unsure(scored, scored.top, scored.article.slug)
  }

  /** Returns other meanings of a question whose answer missed it, best first. */
  async function meanings(question: Question, missed: { intent: string; hasProducts: boolean }): Promise<string[]> {
    const reading = await read(question)
    const shop = missed.hasProducts ? null : await matchProducts(reading)
    const title = shop && titleOf(shop)
    return meaningsOf({
      answered: missed.intent,
      ranked: reading.ranked,
      written: intents.written,
      product: shop && title ? { title, score: shop.score } : null,
    })
  }

  return {
    answer,
    meanings,
    /** Expires the cached answers of staff after a change. */
    forgetLessons: lessons.forget,
    products,
    passages,
    /** Loads the products and computes vectors before the first question. */
    warm: async () => void (await products.learn().catch(() => undefined)),
    /** Returns how many texts still have no vector. */
    learned: async () => ({
      missing:
        (await products.ready()).items.filter(({ told }) => !told.vector).length +
        passages.missing() +
        intents.missing(),
    }),
  }
}

/** Returns the title of the best match. */
function titleOf({ named, found: { items, scores } }: ProductMatch): string | undefined {
  const best = scores.reduce((top, score, i) => (score > (scores[top] ?? 0) ? i : top), 0)
  return named[0]?.title ?? items[best]?.row.title
}
