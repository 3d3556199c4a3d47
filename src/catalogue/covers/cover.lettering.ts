/** Breaks a book's title, up to its colon, into at most four lines. Longer titles get longer lines in smaller type. */
export function setTitle(title: string) {
  const words = (title.split(/[:(]/)[0]!.trim() || title).slice(0, 300).split(/\s+/).filter(Boolean)
  const widest = Math.max(0, ...words.filter((word) => !isWideScript(word)).map(widthOf))
  for (const room of [11, 14, 18, 22]) {
    const lines = wrap(words, room)
    if (lines.length <= 4 && (widest <= room || room === 22)) return lines
  }
  const lines = wrap(words, 18)
  return [...lines.slice(0, 3), `${chop(lines[3]!, 17)[0]}…`]
}

/** Scripts without spaces can break at any character. */
const isWideScript = (text: string) => [...text].some((letter) => letter > '\u2e7f')

function wrap(words: string[], room: number) {
  const lines: string[] = []
  for (const word of words.flatMap((word) => chop(word, room))) {
    const joined = `${lines.at(-1)} ${word}`
    if (lines.length && widthOf(joined) <= room) lines[lines.length - 1] = joined
    else lines.push(word)
  }
  return lines
}

/** Splits a word that is too long for its line, never inside an accented letter or an emoji. */
function chop(word: string, room: number) {
  if (widthOf(word) <= room) return [word]
  const pieces = ['']
  for (const { segment } of new Intl.Segmenter('en').segment(word)) {
    if (pieces.at(-1) && widthOf(pieces.at(-1) + segment) > room) pieces.push('')
    pieces[pieces.length - 1] += segment
  }
  return pieces
}

/** Estimates a text's width in small letters of the widest common system font. Wide scripts and emoji count double. */
export function widthOf(text: string) {
  let width = 0
  for (const letter of text)
    width += letter > '\u2e7f' ? 2 : /[MWmw@%]/.test(letter) ? 1.65 : /[A-Z&]/.test(letter) ? 1.25 : 1
  return width
}
