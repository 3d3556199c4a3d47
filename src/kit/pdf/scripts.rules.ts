/** The scripts that documents support, by font. The first font is preferred for every letter. */
export const SCRIPTS_OF_FACE = {
  dejaVu: ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew'],
  arabic: ['Arabic'],
  droid: ['Han', 'Hiragana', 'Katakana', 'Bopomofo'],
  nanum: ['Hangul'],
  thai: ['Thai'],
  devanagari: ['Devanagari'],
  bengali: ['Bengali'],
  tamil: ['Tamil'],
  telugu: ['Telugu'],
} as const

export type FaceName = keyof typeof SCRIPTS_OF_FACE

export const PRINTED_SCRIPTS: readonly string[] = Object.values(SCRIPTS_OF_FACE).flat()
