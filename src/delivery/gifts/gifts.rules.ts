/** Common domain endings, for the browser. The server checks the full list (`addresses.server.ts`). */
const COMMON =
  /^(?:[a-z]{2}|com|net|org|edu|gov|mil|int|info|biz|name|pro|mobi|app|dev|xyz|online|site|shop|store|tech|club|live|life|world|today|top|vip|win|bid|loan|click|link|work|space|website|blog|news|media|email|cloud|digital|page|fun|icu|buzz|gifts?|deals?|sale|codes|cash|money|finance|bank|pay|games?|bet|casino|porn|sex|chat|social|support|help|company|agency|services|center|network|host|press|travel|video|photos?|xn--[a-z\d-]+)$/
/** File extensions that are common in texts, although some are country domains. */
const FILE_END = /^(?:js|ts|vs|cs|rb|md|py|sh|zip|mov)$/
/** Endings that are not words. A dot before them counts even with spaces around it. */
const PLAIN_ENDS = 'com|net|org|edu|gov|mil|biz|xyz|io'
const ADDRESS = [
  /[a-z][a-z\d+.-]{0,20}:\/\//iu,
  /(?<![\p{L}\p{N}])(?:https?|ftp|mailto|tel):/iu,
  /www\s?\./iu,
  /\S@\S/u,
  /\d{1,3}(?:\.\d{1,3}){3}/u,
  // a domain with a path, whatever its ending
  /[\p{L}\d]\.\p{L}{2,63}\/\S/iu,
  new RegExp(`[\\p{L}\\d]\\s?\\.\\s?(?:${PLAIN_ENDS})(?![\\p{L}\\d])`, 'iu'),
]
/** Matches the ending after a dot: 'example.com', 'example dot com', 'example[.]com'. */
const DOTTED =
  /(?<=[\p{L}\d]\.|[\p{L}\d]\s?[([{]\s?(?:\.|dot)\s?[)\]}]\s?|[\p{L}\d]\sdot\s)[\p{L}\d-]{2,63}(?![\p{L}\d])/giu
/** Matches a full stop without a space: 'Happy birthday.It is for you'. */
const SENTENCE = /(?<=\p{L}\p{L})\.(?=\p{Lu}\p{Ll}*(?![\p{L}\p{N}/:@.-]))/gu
const SPACED = /(?<![\p{L}\d])(?:[\p{L}\d.:/-]\s){4,}[\p{L}\d](?![\p{L}\d])/gu
const REVERSED = /[\u202D\u202E\u2066-\u2068]/u

export type IsEnd = (end: string) => boolean

const isAddress = (text: string, isEnd: IsEnd) =>
  ADDRESS.some((pattern) => pattern.test(text)) ||
  [...text.toLowerCase().matchAll(DOTTED)].some(([end]) => isEnd(end) && !FILE_END.test(end))

/** Adds the missing space after a full stop, so that no mail program links 'birthday.It'. */
export const withBlanks = (text: string): string => text.replace(SENTENCE, '. ')

/** Detects web and mail addresses, including disguised ones, because gifts reach people who did not ask for them. */
export function hasAddress(written: string, isEnd: IsEnd = (end) => COMMON.test(end)): boolean {
  // normalises other forms of letters and dots, and removes zero-width characters
  const text = withBlanks(
    written
      .normalize('NFKC')
      .replace(/[。｡․]/gu, '.')
      .replace(/\p{Cf}|\u034f/gu, '')
      .replace(/\s+/gu, ' '),
  )
  const joined = text.replace(SPACED, (letters) => letters.replaceAll(' ', ''))
  const reversed = REVERSED.test(written) ? [...text].toReversed().join('') : ''
  return [text, joined, reversed].some((one) => isAddress(one, isEnd))
}
