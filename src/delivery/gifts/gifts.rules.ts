// What can be given, and in which words. Pure.

const GENERIC =
  'com|net|org|edu|gov|mil|int|info|biz|name|pro|mobi|app|dev|xyz|online|site|shop|store|tech|club|live|life|world|today|top|vip|' +
  'win|bid|loan|click|link|work|space|website|blog|news|media|email|cloud|digital|page|fun|icu|buzz|cyou|cfd|rest|bond|sbs|quest|' +
  'lol|gifts?|deals?|sale|cash|money|finance|bank|pay|games?|bet|casino|porn|sex|adult|dating|chat|social|support|help|zone|group|' +
  'company|agency|solutions|services|center|network|host|press|monster|beauty|travel|video|photos?|exchange|wtf|xn--[a-z\\d-]+'
/** Two letters are a country, except the ends of file names that authors write about. */
const COUNTRY = '(?!js|ts|vs|cs|rb|md)[a-z]{2}'
const AFTER_NAME = '(?![\\p{L}\\d])'
const ADDRESS = [
  /[a-z][a-z\d+.-]*:\/\//iu,
  /(?:https?|ftp|mailto|tel):/iu,
  /www\s*\./iu,
  /\S@\S/u,
  /\d{1,3}(?:\.\d{1,3}){3}/u,
  // a name with a path, whatever its end
  /[\p{L}\d]\.\p{L}{2,}\/\S/iu,
  new RegExp(`[\\p{L}\\d]\\.(?:${GENERIC}|${COUNTRY})${AFTER_NAME}`, 'iu'),
  // "example dot com", "example[.]com"
  new RegExp(
    `[\\p{L}\\d]\\s*(?:[([{]\\s*(?:\\.|dot)\\s*[)\\]}]|\\sdot\\s)\\s*(?:${GENERIC}|${COUNTRY})${AFTER_NAME}`,
    'iu',
  ),
]

/** A text with a web or mail address, also a disguised one: a gift reaches people who did not ask for it. */
export function hasAddress(text: string): boolean {
  // other forms of letters and dots, and characters without width
  const plain = text
    .normalize('NFKC')
    .replace(/[。｡․]/gu, '.')
    .replace(/\p{Cf}|\u034f/gu, '')
  return ADDRESS.some((pattern) => pattern.test(plain))
}
