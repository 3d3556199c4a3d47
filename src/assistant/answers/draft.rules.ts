import type { Draft } from './answer.ts'
import { withoutLinks } from './link.rules.ts'

export const draft = (given: Partial<Draft> & Pick<Draft, 'intent' | 'confidence' | 'text'>): Draft => ({
  products: [],
  articles: [],
  orders: [],
  isUnsure: false,
  wantsPerson: false,
  offersPerson: false,
  tools: [],
  sources: [],
  frame: null,
  ...given,
})

/** Quotes text of sellers and members on one line, without links, Markdown and control characters. */
export const quoted = (text: string): string =>
  withoutLinks(text)
    .replace(/[\p{Cc}\p{Cf}<>`*_[\]]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the first sentence of a description, shortened if it is long. */
export function firstSentence(text: string): string {
  const clean = quoted(text)
  const end = /[.!?](?=\s|$)/.exec(clean)
  const sentence = end ? clean.slice(0, end.index + 1) : clean
  return sentence.length <= 160 ? sentence : ''
}

/** 'a, b and c' */
export const listed = (parts: string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
