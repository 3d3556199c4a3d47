import type pg from 'pg'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { didYouMean } from './didYouMean.rules.ts'
import { readProducts } from './list.server.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { wordsOf } from './search.rules.ts'
import { readWords } from './shelf.statements.server.ts'
import synonyms from './synonyms.json' with { type: 'json' }

const MAX = 12
/** A word that is for sale since a moment ago may wait for its first suggestion. In milliseconds. */
const FRESH_MS = 60_000
const ALIKE = synonyms.flat().flatMap(wordsOf)

/** Reads the suggestions for a search. Each node keeps the words of the shop, the commonest first. */
export function openSuggestions() {
  let known: Promise<Set<string>> | undefined
  let readAt = -Infinity

  /** Concurrent searches share one read. */
  function readKnown(pool: pg.Pool): Promise<Set<string>> {
    if (known && performance.now() - readAt < FRESH_MS) return known
    readAt = performance.now()
    known = readWords(pool, {}).then((words) => new Set([...words.map(({ word }) => word), ...ALIKE]))
    known.catch(() => (known = undefined))
    return known
  }

  return async (pool: pg.Pool, q: string): Promise<JsonText> => {
    const { words, phrase } = readPrice(q)
    const corrected = didYouMean(wordsOf(words), await readKnown(pool))
    const meant = corrected && `${corrected} ${phrase}`.trim()
    const found = meant && (await readProducts(pool, { q: meant, limit: MAX }))
    if (found && found.json !== '[]') return asJson(`{"words":${JSON.stringify(meant)},"products":${found.json}}`)
    const { json } = await readProducts(pool, { q: meant ?? q, limit: MAX }, { isAny: true })
    return asJson(`{"words":null,"products":${json}}`)
  }
}
