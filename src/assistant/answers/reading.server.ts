import type { Meaning } from '../../kit/meaning/meaning.server.ts'
import type { Frame } from './answer.ts'
import { hasCondition, readAsking } from './asking.rules.ts'
import type { Context } from './context.server.ts'
import type { Intents, Nearest } from './intent.server.ts'
import { otherLanguage } from './language.rules.ts'
import type { openLessons } from './lessons.server.ts'
import { nextTurn } from './turn.server.ts'
import { correct, stem, withCorrections } from './words.rules.ts'

/** Timeout for a question's vector, with the time in the queue. Without a vector, only words decide. */
const TIMEOUT_MS = 600
const MIN_TIMEOUT_MS = 50

/** An e-mail address in a question says nothing about its topic. */
const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

export type Question = { userId: string; text: string; frame: Frame | null; waitedMs?: number }

/** A question with its nearest examples. */
export type Reading = Context & {
  /** The best match of each intent, best first. */
  ranked: Nearest[]
  best: Nearest | null
  /** The answer that staff wrote for the best intent. */
  lesson: { intent: string; score: number; text: string } | null
  /** An answer in the language of the question. Null for English. */
  otherLanguage: string | null
}

/** Parses questions with the words of the shop, its articles and its examples. */
export function openReader({
  tools,
  meaning,
  intents,
  lessons,
}: {
  tools: Context['tools']
  meaning: Meaning
  intents: Intents
  lessons: ReturnType<typeof openLessons>
}) {
  const { products, passages } = tools
  const common = new Set([...passages.known, ...intents.known])
  const commonStems = new Set([...common].map(stem))

  return async function read({ userId, text: typed, frame, waitedMs = 0 }: Question): Promise<Reading> {
    const taught = await lessons.read()
    const { categories, known, stems } = await products.ready()
    const said = typed.replace(ADDRESS, ' ')
    const text = correct(said, [common, known], [commonStems, stems])
    // Correcting typos compares each word with every word of the shop.
    await nextTurn()
    // Uses the typed text, which still has currency signs and fractions.
    const asking = readAsking(withCorrections(said, text), categories, { mayBeBare: frame?.kind === 'products' })
    // 'the cheapest in audio' has only conditions and needs no vector.
    const isPlain = hasCondition(asking) && !asking.topic.some((word) => stems.has(stem(word)))
    const timeoutMs = Math.max(MIN_TIMEOUT_MS, TIMEOUT_MS - waitedMs)
    const vector = isPlain ? null : ((await meaning.of([text], timeoutMs))?.[0] ?? null)
    // The vectors of several questions arrive at the same time.
    await nextTurn()
    const ranked = intents.rank(text, vector)
    await nextTurn()
    const best = ranked[0] ?? null
    const lesson = best === null ? undefined : taught.get(best.intent)
    return {
      ...{ userId, text, typed, vector, asking, frame, tools, ranked, best },
      lesson: best !== null && lesson !== undefined ? { ...best, text: lesson } : null,
      otherLanguage: otherLanguage(typed, known),
    }
  }
}
