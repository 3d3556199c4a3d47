import { tidyEmail } from '../../identity/accounts/email.rules.ts'
import { wordsOf } from '../../catalogue/shelf/search.rules.ts'
import { readOrderNumber } from '../../orders/number.rules.ts'

/** A complete number, or its last eight characters. */
type Numbered = { text: string; isWhole: boolean }

/** Alternative criteria: an order matches if one of them does. Without criteria all orders match. */
export type Search = {
  number?: Numbered
  /** A capture id of the provider, in any case. */
  capture?: Numbered
  email?: string
  words?: string
}

const CAPTURE = /^[\w-]{8,64}$/
const SHORT = 8

export function readSearch(typed: string): Search | null {
  const text = typed.trim()
  if (text === '') return {}
  const number = readOrderNumber(text)
  if (number) return { number, capture: number }
  // email addresses contain no spaces, and titles no @
  const isOneWord = !/\s/.test(text)
  if (text.includes('@')) return isOneWord ? { email: tidyEmail(text) } : null
  const words = wordsOf(text).length > 0 ? text : undefined
  if (!isOneWord) return words === undefined ? null : { words }
  const capture = CAPTURE.test(text) && { text, isWhole: text.length > SHORT }
  return { email: text.toLowerCase(), ...(words !== undefined && { words }), ...(capture && { capture }) }
}

export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`
