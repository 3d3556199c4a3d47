// The standard fonts of a PDF have the letters of Western Europe.

const LATIN = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/** The text in these letters: others lose their accents, and what has no such letter becomes a question mark. */
export const toLatin = (text: string): string =>
  Array.from(text.normalize('NFC'), (letter) => {
    if (LATIN.test(letter)) return letter
    if (letter === '−') return '-'
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '')
    return plain !== '' && LATIN.test(plain) ? plain : '?'
  }).join('')
