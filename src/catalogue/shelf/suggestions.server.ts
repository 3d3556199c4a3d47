import type pg from 'pg'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { didYouMean } from './didYouMean.rules.ts'
import { readProducts } from './list.server.ts'
import { readPrice } from './pricePhrase.rules.ts'
import { wordsOf } from './search.rules.ts'
import { readWords } from './shelf.statements.server.ts'
import synonyms from './synonyms.json' with { type: 'json' }

const MAX = 12
/** Milliseconds to cache the known words. A new product's words may be missing for so long. */
const FRESH_MS = 60_000
const ALIKE = synonyms.flat().flatMap(wordsOf)

/** Creates the reader of suggestions. Each node caches the words of the shop, most frequent first. */
export function openSuggestions() {
  let known: Promise<Set<string>> | undefined
  let readAt = -Infinity

  /** Reads the words once for concurrent searches. */
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
