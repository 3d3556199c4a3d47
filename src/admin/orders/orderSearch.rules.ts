import { hasWords } from '../../catalogue/shelf/search.rules.ts'
import { readOrderNumber } from '../../orders/number.rules.ts'

/** A number whole, or its last eight characters. */
type Numbered = { text: string; isWhole: boolean }

/** How orders are looked for: any of these may match; none at all matches every order. */
export type Search = {
  number?: Numbered
  /** What a payment was captured as; the letters may be typed large or small. */
  capture?: Numbered
  /** The beginning of an e-mail address, or all of it. */
  email?: string
  /** Words of what was bought. */
  words?: string
}

const CAPTURE = /^[\w-]{8,64}$/
const SHORT = 8

/** What staff typed, as what it can mean; null where it can mean nothing. */
export function readSearch(typed: string): Search | null {
  const text = typed.trim()
  if (text === '') return {}
  const number = readOrderNumber(text)
  if (number) return { number, capture: number }
  // an address has no blanks, and a title no @
  const isOneWord = !/\s/.test(text)
  if (text.includes('@')) return isOneWord ? { email: text.toLowerCase() } : null
  const words = hasWords(text) ? text : undefined
  if (!isOneWord) return words === undefined ? null : { words }
  const capture = CAPTURE.test(text) && { text, isWhole: text.length > SHORT }
  return { email: text.toLowerCase(), ...(words !== undefined && { words }), ...(capture && { capture }) }
}

/** For LIKE: nothing that was typed has a meaning there. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`
