import { hasWords } from '../catalogue/search.rules.ts'
import { readOrderNumber } from '../orders/number.rules.ts'

/** How orders are looked for: any of these may match; none at all matches every order. */
export type Search = {
  number?: { text: string; isWhole: boolean }
  /** The beginning of an e-mail address, or all of it. */
  email?: string
  /** Words of what was bought. */
  words?: string
}

/** What staff typed, as what it can mean; null where it can mean nothing. */
export function readSearch(typed: string): Search | null {
  const text = typed.trim()
  if (text === '') return {}
  const number = readOrderNumber(text)
  if (number) return { number }
  // an address has no blanks, and a title no @
  const isOneWord = !/\s/.test(text)
  if (text.includes('@')) return isOneWord ? { email: text.toLowerCase() } : null
  const words = hasWords(text) ? text : undefined
  if (!isOneWord) return words === undefined ? null : { words }
  return { email: text.toLowerCase(), ...(words !== undefined && { words }) }
}

/** For LIKE: nothing that was typed has a meaning there. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`
