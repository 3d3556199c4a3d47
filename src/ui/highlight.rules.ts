export type Piece = { text: string; isMatch: boolean }

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A word matches only at the start of a word of the text. Other searches, such as '$25', match anywhere. */
const startOf = (word: string) => (/^[\p{L}\p{N}]/u.test(word) ? '(?<![\\p{L}\\p{N}])' : '')

/** Splits a text at its matches. If the text does not contain the whole search, its single words match. */
export function piecesOf(text: string, searched: string): Piece[] {
  const whole = searched.trim()
  if (!whole) return [{ text, isMatch: false }]
  const isThere = new RegExp(startOf(whole) + escape(whole), 'iu').test(text)
  const words = isThere ? [whole] : (whole.match(/[\p{L}\p{N}]{2,}/gu) ?? []).slice(0, 12)
  if (words.length === 0) return [{ text, isMatch: false }]
  const pattern = new RegExp(words.map((word) => startOf(word) + escape(word)).join('|'), 'giu')
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isMatch: false })
    pieces.push({ text: match, isMatch: true })
    end = index + match.length
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), isMatch: false })
  return pieces
}
