// Turns typed text into a to_tsquery. It contains letters and digits only, so typed operators have no effect.

const MOST_WORDS = 12
// operators of websearch_to_tsquery: quotes, a leading minus, the word 'or'
const OPERATORS = /"|(^|\s)-\S|\bor\b/i
const SHORTEST_RESPELT = 4

const wordsOf = (typed: string) => (typed.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS)

export const hasWords = (typed: string): boolean => wordsOf(typed).length > 0

/** The last word matches as a prefix: 'gift ca' -> 'gift & ca:*'. Empty for text with operators. */
export function prefixQuery(typed: string): string {
  if (OPERATORS.test(typed)) return ''
  const words = wordsOf(typed)
  return words.length > 0 ? `${words.join(' & ')}:*` : ''
}

/** Every word or its likely corrections by a swap or a doubled letter: 'crad' -> '(crad | rcad | card | crda)'. */
export const respeltQuery = (typed: string): string =>
  wordsOf(typed)
    .map((word) => `(${[...new Set([word, ...variants(word)])].join(' | ')})`)
    .join(' & ')

function variants(word: string): string[] {
  const letters = [...word]
  if (letters.length < SHORTEST_RESPELT || letters.length > 24) return []
  return letters
    .slice(1)
    .map((letter, i) =>
      (letter === letters[i] ? letters.toSpliced(i, 1) : letters.toSpliced(i, 2, letter, letters[i]!)).join(''),
    )
}
