// Format of a licence key: PREFIX-XXXXXXXX-XXXXXXXX-XXXXXXXX-XXXXXXXX. The last character is a checksum.

/** Digits and capitals without I, L, O and U, which are easy to confuse. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Prefixes may contain the excluded letters, so these have values too. */
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
 * Returns 0 if the check character is correct. Neighbours have different weights and no weight is zero, so one wrong
 * character or two swapped neighbours in the prefix or groups change the sum.
 */
const sumOf = (text: string) => [...text].reduce((sum, letter) => double(sum) ^ VALUES.get(letter)!, 0)

const checkOf = (text: string) => ALPHABET[double(sumOf(text))]!

const write = (prefix: string, body: string) =>
  [prefix, ...Array.from({ length: 4 }, (_, i) => body.slice(i * GROUP, (i + 1) * GROUP))].join('-')

/** Creates a key from `RANDOM_LENGTH` random bytes with five bits of each, 155 in total. */
export function makeKey(prefix: string, random: Uint8Array): string {
  const body = Array.from(random.slice(0, RANDOM_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return write(prefix, body + checkOf(prefix + body))
}

/** Normalises a typed key. Null if it is invalid. Ignores spaces, hyphens and case. */
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
