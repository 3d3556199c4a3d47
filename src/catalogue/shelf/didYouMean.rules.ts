const MIN_LENGTH = 3
const MAX_LENGTH = 24
// each is compared with every known word
const MAX_CORRECTED = 3

const most = (word: string) => (word.length < 6 ? 1 : 2)

/** Replaces the first unknown words by the nearest known words. Null if no word changes. */
export function didYouMean(asked: string[], known: Set<string>): string | null {
  let corrected = 0
  const isLeft = (word: string) =>
    known.has(word) ||
    word.length < MIN_LENGTH ||
    word.length > MAX_LENGTH ||
    /\p{N}/u.test(word) ||
    ++corrected > MAX_CORRECTED
  const meant = asked.map((word) => (isLeft(word) ? word : nearest(word, known))).join(' ')
  return meant === asked.join(' ') ? null : meant
}

function nearest(word: string, known: Set<string>): string {
  let best = word
  let least = most(word) + 1
  for (const one of known) {
    if (Math.abs(one.length - word.length) >= least || !sharesStart(word, one)) continue
    const slips = slipsBetween(word, one)
    if (slips < least) [best, least] = [one, slips]
  }
  return best === word ? (parted(word, known) ?? word) : best
}

/** Splits two joined words: 'wordcounter' -> 'word counter'. */
function parted(word: string, known: Set<string>): string | null {
  for (let at = MIN_LENGTH; at <= word.length - MIN_LENGTH; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    if (parts.every((part) => known.has(part))) return parts.join(' ')
  }
  return null
}

/** Compares the first letters, allowing for a typing error there. Avoids the full comparison for most words. */
const sharesStart = (a: string, b: string) => a[0] === b[0] || a[0] === b[1] || a[1] === b[0] || a[1] === b[1]

/** Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function slipsBetween(a: string, b: string): number {
  const at = (numbers: number[], i: number) => numbers[i] ?? Infinity
  let [before, last, row]: [number[], number[], number[]] = [[], [], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    ;[before, last, row] = [last, row, [i]]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(at(row, j), at(before, j - 2) + 1)
    }
  }
  return at(row, b.length)
}
