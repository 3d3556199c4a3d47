// What a search that found nothing may have meant, from the words of what the shop has.

const SHORTEST = 3

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** How many slips a word may have and still be meant: one in short words, two in longer ones. */
const most = (word: string) => (word.length < 6 ? 1 : 2)

/**
 * The search with each word that no text has in the place of the word it is nearest to; null when there is nothing to
 * say. What is suggested stands in one of the texts, so that it finds something.
 */
export function didYouMean(searched: string, texts: string[]): string | null {
  const asked = wordsOf(searched)
  const known = new Set(texts.flatMap(wordsOf).filter((word) => word.length >= SHORTEST))
  const meant = asked.map((word) => (known.has(word) || word.length < SHORTEST ? word : nearest(word, known)))
  const suggestion = meant.join(' ')
  if (suggestion === asked.join(' ')) return null
  return texts.some((text) => text.toLowerCase().includes(suggestion)) ? suggestion : null
}

function nearest(word: string, known: Iterable<string>): string {
  let best = word
  let least = most(word) + 1
  for (const one of known) {
    if (Math.abs(one.length - word.length) >= least) continue
    const slips = slipsBetween(word, one)
    if (slips < least) [best, least] = [one, slips]
  }
  return best
}

/** Letters left out, added, exchanged, or swapped with their neighbour (optimal string alignment). */
export function slipsBetween(a: string, b: string): number {
  let [before, last, row]: [number[], number[], number[]] = [[], [], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    ;[before, last, row] = [last, row, [i]]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
  }
  return row[b.length]!
}
