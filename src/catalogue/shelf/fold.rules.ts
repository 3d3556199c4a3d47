// excludes marks of the scripts from Thaana to Vedic, of kana, and of Indian scripts in higher planes
const MARKS =
  /(?![\u0780-\u085F\u0900-\u1AAF\u1B00-\u1CFF\uA800-\uABFF\u{10A00}-\u{1FFFF}]|[\u302A-\u302F]|\u3099|\u309A)[\p{Mn}\p{Me}]|[\u00AD\u0640\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu

/** Letters that Unicode does not decompose. */
const LETTERS: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ƶ: 'z',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/**
 * Lowercases a text and removes accents, vowel marks, ligatures and widths, like `fold_text` in the database. Retains
 * vowel signs of Indic scripts and voicing marks of kana, because they are letters.
 */
export const fold = (text: string): string =>
  text
    .replace(/[™©®℠]/g, ' ')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
