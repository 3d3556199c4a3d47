import { UUID } from '../../kit/uuid.ts'

// What may name somebody or let somebody in is taken out of a report before it leaves the browser, and again on arrival.

const EMAIL = /[^\s@/"()<>[\],;:=]{0,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu
/** What stands between a name and its value: in headers, addresses, code, JSON, and JSON within JSON. */
const IS = String.raw`\\*["']?[ \t]*[=:]>?[ \t]*`
/** Up to the same quote; one that was cut off, to the end of its line. */
const QUOTED = String.raw`(\\*["']).*?(?:(?<!\\)\2|$)`
/** These have values of many parts, on the whole line. */
const LINES = new RegExp(String.raw`(authorization|cookies?)${IS}(?:${QUOTED}|\[secret\](?![;\s])|.+)`, 'gim')
const NAMED = new RegExp(
  String.raw`((?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|session[-_]?id)[\w-]{0,32})${IS}(?:${QUOTED}|(?:bearer[ \t]+)?[^\s"',;&)}]+)`,
  'gim',
)
const BEARER = /\bbearer\s+[\w.~+/=-]+/gi
const ID = new RegExp(String.raw`\b${UUID}\b`, 'gi')
/** The names of our own scripts look like tokens, and lead to the source. */
const OPAQUE = /(?<![\w-])(?!(?<=\/assets\/)[\w-]+\.js\b)[\w-]{20,}/g
const BASE64 = /[A-Za-z\d+/]{24,}={0,2}/g
/** 13 digits and more, as they stand on cards; a time in milliseconds goes with them. */
const NUMBER = /\d(?:[ \u00a0\t-]?\d){12,}/g
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
/** As those of the internet, of one network and of one link begin; times, positions in a script and 'a::b' do not. */
const ADDRESS_6 = /(?<![\w.])[23f][\da-f]{3}(?::[\da-f]{0,4}){2,7}(?<!\w:)(?!\w)/gi

/** A text of an error without e-mails, tokens, card-like numbers, ids, IP addresses and what follows ? or # in addresses. */
export const scrub = (text: string): string =>
  text
    .replace(/[^\s"'()<>]+/g, withoutQuery)
    .replace(LINES, '$1=[secret]')
    .replace(NAMED, '$1=[secret]')
    .replace(BEARER, 'bearer [secret]')
    .replace(EMAIL, '[e-mail]')
    .replace(ID, '[id]')
    .replace(BASE64, (found) => (/[+=]/.test(found) && isMixed(found) ? '[secret]' : found))
    .replace(OPAQUE, (found) => (isMixed(found) ? '[secret]' : found))
    .replace(NUMBER, '[number]')
    .replace(ADDRESS, '[address]')
    .replace(ADDRESS_6, (found) => (found.includes('::') || found.split(':').length === 8 ? '[address]' : found))

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
