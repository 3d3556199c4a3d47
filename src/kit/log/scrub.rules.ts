import { UUID } from '../uuid.ts'

// Removes personal data and credentials from an error report, in the browser and again on the server.

const EMAIL = /[^\s@/"()<>[\],;:=]{0,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu
/** Separators between a name and its value in headers, URLs, code, JSON, and JSON within JSON. */
const IS = String.raw`\\*["']?[ \t]*[=:]>?[ \t]*`
/** A quoted value, or the rest of the line if the text was cut off. */
const QUOTED = String.raw`(\\*["']).*?(?:(?<!\\)\2|$)`
/** Names whose value is the rest of the line. */
const LINES = new RegExp(String.raw`(authorization|cookies?)${IS}(?:${QUOTED}|\[secret\](?![;\s])|.+)`, 'gim')
const NAMED = new RegExp(
  String.raw`((?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|session[-_]?id)[\w-]{0,32})${IS}(?:${QUOTED}|(?:bearer[ \t]+)?[^\s"',;&)}]+)`,
  'gim',
)
const BEARER = /\bbearer\s+[\w.~+/=-]+/gi
const ID = new RegExp(String.raw`\b${UUID}\b`, 'gi')
/** Long opaque tokens, except the file names of the shop's scripts, which lead to the source. */
const OPAQUE = /(?<![\w-])(?!(?<=\/assets\/)[\w-]+\.js\b)[\w-]{20,}/g
const BASE64 = /[A-Za-z\d+/]{24,}={0,2}/g
/** Card-like numbers: 13 digits or more. Timestamps in milliseconds match too. */
const NUMBER = /\d(?:[ \u00a0\t-]?\d){12,}/g
const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
/** IPv6 prefixes of public, local and link-local networks. Times, script positions and 'a::b' do not match. */
const ADDRESS_6 = /(?<![\w.])[23f][\da-f]{3}(?::[\da-f]{0,4}){2,7}(?<!\w:)(?!\w)/gi

/** Removes e-mails, tokens, card-like numbers, ids, IP addresses and everything after ? or # in URLs. */
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

/** '/cart?code=7:12:3' -> '/cart:12:3', with the line and column of a stack frame. */
function withoutQuery(word: string): string {
  const slash = word.indexOf('/')
  const end = slash === -1 ? -1 : word.slice(slash).search(/[?#]/)
  return end === -1 ? word : word.slice(0, slash + end) + (/(?::\d{1,6}){2}$/.exec(word)?.[0] ?? '')
}

/** Returns the route of a URL: 'https://shop.example/product/0190...?x#y' -> '/product/:id'. */
export function routeOf(url: string): string {
  const path = (/^(?:\w+:\/\/[^/?#]*)?([^?#]*)/.exec(url)?.[1] ?? '').slice(0, 400) || '/'
  return scrub(path).replaceAll('[id]', ':id').slice(0, 200)
}
