import { MEANT, SURE } from './certainty.rules.ts'
import { quoted } from './draft.rules.ts'
import { SOCIAL_INTENTS } from './social.rules.ts'

const MAX_MEANINGS = 3
const MAX_TITLE_LENGTH = 60

type Meant = {
  /** The intent of the answer that missed the question. */
  answered: string
  ranked: readonly { intent: string; text: string; score: number }[]
  /** The written example questions of each intent. Those of staff may quote a customer, so nobody else sees them. */
  written: ReadonlyMap<string, readonly string[]>
  /** The product that fits best. Null if the answer showed products. */
  product: { title: string; score: number } | null
}

/** Returns the next best meanings of a question, best first: texts that the assistant understands. */
export function meaningsOf({ answered, ranked, written, product }: Meant): string[] {
  const questions = ranked
    .filter(({ intent, score }) => score >= MEANT.least && intent !== answered && !SOCIAL_INTENTS.has(intent))
    .flatMap(({ intent, text, score }) => {
      const own = written.get(intent) ?? []
      const shown = own.includes(text) ? text : own[0]
      return shown === undefined ? [] : [{ text: asSentence(shown), score }]
    })
  return [...questions, ...aboutProduct(product)]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_MEANINGS)
    .map(({ text }) => text)
}

function aboutProduct(product: Meant['product']) {
  if (!product || product.score < SURE.least) return []
  const title = quoted(product.title)
  return title.length > MAX_TITLE_LENGTH ? [] : [{ text: `Tell me about ${title}`, score: product.score }]
}

const ASKS = /^(?:who|what|where|when|why|how|which|can|do|does|did|is|are|was|has|have|may|will)\b/

/** 'do i have store credit left' -> 'Do I have store credit left?' */
export function asSentence(example: string): string {
  const text = example.replace(/\bi\b/g, 'I')
  return text.charAt(0).toUpperCase() + text.slice(1) + (ASKS.test(example) ? '?' : '')
}
