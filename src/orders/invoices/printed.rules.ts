/** Left-to-right scripts that the font of our documents contains. A test compares them with the font. */
const PRINTED = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Common', 'Inherited']
const UNPRINTED = new RegExp(`[^${PRINTED.map((script) => `\\p{Script=${script}}`).join('')}]+`, 'u')

/** Returns the first letters that a document would print as question marks, or null. */
export const unprinted = (...texts: string[]): string | null => {
  for (const text of texts) {
    const [letters] = UNPRINTED.exec(text.normalize('NFC')) ?? []
    if (letters) return letters
  }
  return null
}
