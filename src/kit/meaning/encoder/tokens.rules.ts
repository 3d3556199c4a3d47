/** A piece of a word with its log probability. Its index in the list is its id. */
export type Piece = { text: string; score: number }

/** The first six pieces are control symbols of the training. */
const RESERVED = 6
const UNKNOWN = 0
const SPACE = '\u2581'

/** Splits text into the most probable sequence of pieces, as SentencePiece does for a unigram model. Returns ids. */
export function createTokenizer(pieces: Piece[]): (text: string) => number[] {
  const known = new Map(pieces.map(({ text, score }, id) => [text, { id, score }] as const).slice(RESERVED))
  const longest = Math.max(...pieces.map(({ text }) => text.length))

  return (text) => {
    const normalized = text.normalize('NFKC')
    const symbols = normalized === '' ? [] : [...(SPACE + normalized).replaceAll(' ', SPACE)]
    // a position where no piece ends counts as an unknown symbol
    const best = Array.from({ length: symbols.length + 1 }, () => ({ score: 0, id: UNKNOWN, length: 1 }))
    const offer = (end: number, step: { score: number; id: number; length: number }) => {
      if (best[end]!.score === 0 || step.score >= best[end]!.score) best[end] = step
    }
    for (let start = 0; start < symbols.length; start++) {
      const { score } = best[start]!
      let candidate = ''
      let isKnown = false
      for (let length = 1; length <= longest && start + length <= symbols.length; length++) {
        candidate += symbols[start + length - 1]!
        const piece = known.get(candidate)
        if (!piece) continue
        isKnown = true
        offer(start + length, { score: score + piece.score, id: piece.id, length })
      }
      if (!isKnown) offer(start + 1, { score, id: UNKNOWN, length: 1 })
    }
    const ids: number[] = []
    for (let end = symbols.length; end > 0; end -= best[end]!.length) ids.unshift(best[end]!.id)
    // merges adjacent unknown symbols
    return ids.filter((id, i) => id !== UNKNOWN || ids[i - 1] !== UNKNOWN)
  }
}
