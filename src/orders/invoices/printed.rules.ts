/** Scripts that the font of our documents has, written from left to right. A test compares them with the font. */
const PRINTED = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Common', 'Inherited']
const UNPRINTED = new RegExp(`[^${PRINTED.map((script) => `\\p{Script=${script}}`).join('')}]+`, 'u')

/** The first letters that a document would show as question marks, or null. */
export const unprinted = (...texts: string[]): string | null => {
  for (const text of texts) {
    const [letters] = UNPRINTED.exec(text.normalize('NFC')) ?? []
    if (letters) return letters
  }
  return null
}
