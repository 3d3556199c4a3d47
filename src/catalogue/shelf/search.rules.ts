// What was typed, as text for to_tsquery. Only letters and digits go in, so nothing typed can have a meaning there.

const MOST_WORDS = 12
// what websearch_to_tsquery gives a meaning of its own: quotes, a leading minus, the word 'or'
const OPERATORS = /"|(^|\s)-\S|\bor\b/i
const SHORTEST_RESPELT = 4

const wordsOf = (typed: string) => (typed.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS)

export const hasWords = (typed: string): boolean => wordsOf(typed).length > 0

/** The last word may still be unfinished: 'gift ca' -> 'gift & ca:*'. Empty when what was typed has operators. */
export function prefixQuery(typed: string): string {
  if (OPERATORS.test(typed)) return ''
  const words = wordsOf(typed)
  return words.length > 0 ? `${words.join(' & ')}:*` : ''
}

/**
 * Every word or what it may have been meant to be: two neighbouring letters swapped, or one typed twice. 'crad' ->
 * '(crad | rcad | card | crda)'. Other slips are found by how alike the titles are.
 */
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
