// The form of a licence key: PREFIX-XXXXXXXX-XXXXXXXX-XXXXXXXX-XXXXXXXX. The last character checks all others.

/** Digits and capitals without I, L, O and U, so that no two look or sound alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The letters that the alphabet lacks have values too, because a prefix may use them. */
const VALUES = new Map([...ALPHABET, ...'OILU'].map((letter, at) => [letter, at % ALPHABET.length]))
const GROUP = 8
const LENGTH = 4 * GROUP
export const RANDOM_LENGTH = LENGTH - 1
export const PREFIX = /^[A-Z]{2,8}$/
const BODY = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
const ENDING = 4

/** Multiplies by a generator of the field of 32 elements (x^5 + x^2 + 1). */
const double = (value: number) => (value & 16 ? (value << 1) ^ 0b100101 : value << 1)

/**
 * Zero for a text that ends in its check character. Neighbours have different weights and no weight is zero, so one wrong
 * character or two swapped neighbours of a prefix or of the groups always change the sum.
 */
const sumOf = (text: string) => [...text].reduce((sum, letter) => double(sum) ^ VALUES.get(letter)!, 0)

const checkOf = (text: string) => ALPHABET[double(sumOf(text))]!

const write = (prefix: string, body: string) =>
  [prefix, ...Array.from({ length: 4 }, (_, i) => body.slice(i * GROUP, (i + 1) * GROUP))].join('-')

/** A key of `RANDOM_LENGTH` random bytes; five bits of each count, 155 in all. */
export function makeKey(prefix: string, random: Uint8Array): string {
  const body = Array.from(random.slice(0, RANDOM_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return write(prefix, body + checkOf(prefix + body))
}

/** The key that a person typed, in its one form; null for a text that is no key. Spaces, hyphens and case do not matter. */
export function readKey(typed: string): string | null {
  const text = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '')
  const prefix = text.slice(0, -LENGTH)
  const body = text.slice(-LENGTH).replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (!PREFIX.test(prefix) || !BODY.test(body) || sumOf(prefix + body) !== 0) return null
  return write(prefix, body)
}

export const endingOf = (key: string): string => key.slice(-ENDING)

export const maskKey = ({ prefix, ending }: { prefix: string; ending: string }): string =>
  write(prefix, `${'•'.repeat(LENGTH - ENDING)}${ending}`)

export function prefixOf(title: string): string {
  const letters = title.toUpperCase().replace(/[^A-Z]/g, '')
  return letters.length < 2 ? 'KEY' : letters.slice(0, 4)
}
