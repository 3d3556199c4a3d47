// Suggests a spelling for a search without results, from the words of the store's texts.

const SHORTEST = 3

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The typing errors allowed in a word: one in short words, two in longer ones. */
const most = (word: string) => (word.length < 6 ? 1 : 2)

/** Replaces each unknown word by the nearest known one, where a text contains the result; otherwise null. */
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

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
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
