import tlds from 'tlds' with { type: 'json' }

// What can be given, and in which words. Pure.

/** Ends of file names that authors write about, though they are countries too. */
const FILE_ENDS = new Set(['js', 'ts', 'vs', 'cs', 'rb', 'md', 'py', 'sh', 'zip', 'mov'])
let ends: Set<string> | undefined
/** Ends that are no words of a sentence, so a dot before them counts even with blanks around it. */
const PLAIN_ENDS = 'com|net|org|edu|gov|mil|biz|xyz|io'
const ADDRESS = [
  /[a-z][a-z\d+.-]{0,20}:\/\//iu,
  /(?<![\p{L}\p{N}])(?:https?|ftp|mailto|tel):/iu,
  /www\s?\./iu,
  /\S@\S/u,
  /\d{1,3}(?:\.\d{1,3}){3}/u,
  // a name with a path, whatever its end
  /[\p{L}\d]\.\p{L}{2,63}\/\S/iu,
  new RegExp(`[\\p{L}\\d]\\s?\\.\\s?(?:${PLAIN_ENDS})(?![\\p{L}\\d])`, 'iu'),
]
/** 'example.com', 'example dot com', 'example[.]com': the end follows the dot. */
const DOTTED =
  /(?<=[\p{L}\d]\.|[\p{L}\d]\s?[([{]\s?(?:\.|dot)\s?[)\]}]\s?|[\p{L}\d]\sdot\s)[\p{L}\d-]{2,63}(?![\p{L}\d])/giu
/** A full stop without its blank: 'Happy birthday.It is for you'. */
const SENTENCE = /(?<=\p{L}\p{L})\.(?=\p{Lu}\p{Ll}*(?![\p{L}\p{N}/:@.-]))/gu
const SPACED = /(?<![\p{L}\d])(?:[\p{L}\d.:/-]\s){4,}[\p{L}\d](?![\p{L}\d])/gu
const REVERSED = /[\u202D\u202E\u2066-\u2068]/u

const isEnd = (end: string) => {
  const lower = end.toLowerCase()
  // built at its first use: most pages that import these rules never need it
  ends ??= new Set(tlds)
  return (ends.has(lower) || lower.startsWith('xn--')) && !FILE_ENDS.has(lower)
}

const isAddress = (text: string) =>
  ADDRESS.some((pattern) => pattern.test(text)) || [...text.matchAll(DOTTED)].some(([end]) => isEnd(end))

/** Sets the blank that a sentence begins with, so that no mail program takes 'birthday.It' for an address. */
export const withBlanks = (text: string): string => text.replace(SENTENCE, '. ')

/** A text with a web or mail address, also a disguised one: a gift reaches people who did not ask for it. */
export function hasAddress(written: string): boolean {
  // other forms of letters and dots, and characters without width
  const text = withBlanks(
    written
      .normalize('NFKC')
      .replace(/[。｡․]/gu, '.')
      .replace(/\p{Cf}|\u034f/gu, '')
      .replace(/\s+/gu, ' '),
  )
  const joined = text.replace(SPACED, (letters) => letters.replaceAll(' ', ''))
  const reversed = REVERSED.test(written) ? [...text].toReversed().join('') : ''
  return [text, joined, reversed].some(isAddress)
}
