// What may name somebody or let somebody in is taken out of a report before it leaves the browser, and again on arrival.

const EMAIL = /[^\s@/"()<>[\],;:=]{0,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu
const NAMED =
  /\b(pass(?:word|wd)|secret|token|api[-_]?key|authorization|cookie|session[-_]?id)\b["']?\s*[=:]\s*(?:bearer\s+)?(?:"[^"]*"|'[^']*'|[^\s"',;&)}]+)/gi
const BEARER = /\bbearer\s+[\w.~+/=-]+/gi
const UUID = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi
/** The names of our own scripts look like tokens, and lead to the source. */
const OPAQUE = /(?<![\w-])(?!(?<=\/assets\/)[\w-]+\.js\b)[\w-]{20,}/g
const BASE64 = /[A-Za-z\d+/]{24,}={0,2}/g
/** 13 digits and more, as they stand on cards; a time in milliseconds goes with them. */
const NUMBER = /\d(?:[ \u00a0\t-]?\d){12,}/g
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

/** A text of an error without e-mails, tokens, card-like numbers, ids, IP addresses and what follows ? or # in addresses. */
export const scrub = (text: string): string =>
  text
    .replace(/[^\s"'()<>]+/g, withoutQuery)
    .replace(NAMED, '$1=[secret]')
    .replace(BEARER, 'bearer [secret]')
    .replace(EMAIL, '[e-mail]')
    .replace(UUID, '[id]')
    .replace(BASE64, (found) => (/[+=]/.test(found) && isMixed(found) ? '[secret]' : found))
    .replace(OPAQUE, (found) => (isMixed(found) ? '[secret]' : found))
    .replace(NUMBER, '[number]')
    .replace(ADDRESS, '[address]')

const isMixed = (word: string) => /\d/.test(word) && /[a-z]/i.test(word)

/** '/cart?code=7:12:3' -> '/cart:12:3'; line and column of a stack stay. */
function withoutQuery(word: string): string {
  const slash = word.indexOf('/')
  const end = slash === -1 ? -1 : word.slice(slash).search(/[?#]/)
  return end === -1 ? word : word.slice(0, slash + end) + (/(?::\d{1,6}){2}$/.exec(word)?.[0] ?? '')
}

/** The page of an address as the shop names it: 'https://shop.example/product/0190...?x#y' -> '/product/:id'. */
export function routeOf(url: string): string {
  const path = (/^(?:\w+:\/\/[^/?#]*)?([^?#]*)/.exec(url)?.[1] ?? '').slice(0, 400) || '/'
  return scrub(path).replaceAll('[id]', ':id').slice(0, 200)
}
