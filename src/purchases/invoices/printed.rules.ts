import { PRINTED_SCRIPTS } from '../../kit/pdf/scripts.rules.ts'

const SCRIPTS = [...PRINTED_SCRIPTS, 'Common', 'Inherited']
// the fonts lack the rare Chinese characters of planes 2 and 3 of Unicode, and emoji
const UNPRINTED = new RegExp(
  String.raw`(?:[\u{20000}-\u{3ffff}\p{Emoji_Presentation}]|[^${SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('')}])+`,
  'u',
)

/** Returns the first letters that a document would print as question marks, or null. */
export const unprinted = (...texts: string[]): string | null => {
  for (const text of texts) {
    const [letters] = UNPRINTED.exec(text.normalize('NFC')) ?? []
    if (letters) return letters
  }
  return null
}
