import { readFileSync } from 'node:fs'
import type { Meaning } from '../../kit/meaning/meaning.server.ts'
import { nearnessFrom, type Vector } from '../../kit/meaning/vector.rules.ts'
import {
  overlapOf,
  type Postings,
  postingsOf,
  sharedWeights,
  stem,
  stemsOf,
  tokensOf,
  type Weigh,
  weighAll,
  weighBy,
  type Weighed,
} from './words.rules.ts'

// Finds the example questions that are nearest to a question, by words and by embedding.

/** An example question with the intent of its answer. Staff can add examples. */
export type Example = {
  text: string
  intent: string
  stems: string[]
  all: string[]
  /** `stems` and `all` with the weights among the current examples. */
  weighed?: { stems: Weighed; all: Weighed }
  vector?: Vector
}
export type Nearest = { intent: string; score: number; text: string }

/** A lower similarity of embeddings counts as 0. */
const MIN_NEAR = 0.35

const WRITTEN = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as Record<string, string[]>

const exampleOf = (text: string, intent: string): Example => ({
  text,
  intent,
  stems: stemsOf(text),
  all: tokensOf(text).map(stem),
})

export type Intents = ReturnType<typeof openIntents>

export function openIntents(meaning: Meaning) {
  const own = Object.entries(WRITTEN).flatMap(([intent, texts]) => texts.map((text) => exampleOf(text, intent)))
  let added: Example[] = []
  let examples: Example[] = []
  let byStem: Postings<Example> = new Map()
  let byAny: Postings<Example> = new Map()
  let weigh = weighExamples()
  let learning: Promise<unknown> | null = null

  function weighExamples(): Weigh {
    examples = [...added, ...own]
    const by = weighBy(examples.map((example) => example.all))
    byStem = postingsOf(examples, ({ stems }) => stems)
    byAny = postingsOf(examples, ({ all }) => all)
    for (const example of examples)
      example.weighed = { stems: weighAll(example.stems, by), all: weighAll(example.all, by) }
    return by
  }
  async function learn() {
    const missing = [...own, ...added].filter(({ vector }) => !vector)
    if (missing.length === 0) return
    const vectors = await meaning.of(missing.map(({ text }) => text))
    if (vectors) missing.forEach((example, i) => (example.vector = vectors[i]!))
  }
  return {
    /** The written examples of each intent. */
    written: new Map(Object.entries(WRITTEN)),
    known: new Set(own.flatMap(({ text }) => tokensOf(text))),
    missing: () => [...own, ...added].filter(({ vector }) => !vector).length,
    /** Replaces the examples of staff. */
    add(taught: { text: string; intent: string }[]) {
      const isSame = ({ text, intent }: Example, i: number) => text === taught[i]!.text && intent === taught[i]!.intent
      if (taught.length === added.length && added.every(isSame)) return
      const before = new Map(added.map((example) => [example.text, example]))
      added = taught.map(({ text, intent }) => ({ ...(before.get(text) ?? exampleOf(text, intent)), intent }))
      weigh = weighExamples()
    },
    /** Returns the best score of each intent, best first. */
    rank(text: string, vector: Vector | null): Nearest[] {
      learning ??= learn().finally(() => (learning = null))
      learning.catch(() => undefined)
      const stems = weighAll(stemsOf(text), weigh)
      const all = weighAll(tokensOf(text).map(stem), weigh)
      const [sharedStems, sharedAll] = [sharedWeights(stems, byStem), sharedWeights(all, byAny)]
      const best = new Map<string, Nearest>()
      for (const example of examples) {
        const { stems: ownStems, all: ownAll } = example.weighed!
        const words =
          0.55 * overlapOf(stems, ownStems, sharedStems.get(example)) +
          0.45 * overlapOf(all, ownAll, sharedAll.get(example))
        const near =
          vector && example.vector
            ? Math.max(0, (nearnessFrom(MIN_NEAR, vector, example.vector) - MIN_NEAR) / 0.6)
            : null
        const score = near === null ? words : Math.max(words, 0.5 * words + 0.5 * near)
        if (score > (best.get(example.intent)?.score ?? 0))
          best.set(example.intent, { intent: example.intent, score, text: example.text })
      }
      return [...best.values()].toSorted((a, b) => b.score - a.score)
    },
  }
}
