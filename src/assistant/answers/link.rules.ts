// Detects links, because answers must contain no links of sellers.

const DOT = '[.\u3002\uFF0E\uFF61]'
/** File extensions that are not top-level domains. */
const FILES = 'jsx?|tsx?|css|html?|pdf|epub|txt|csv|wav|png|jpe?g|gif|svg|json|xml|docx?|xlsx?|pptx?|ya?ml'
// Bounded, so that the time grows only linearly with a seller's text.
const LABEL = String.raw`[\p{L}\p{N}_-]{1,63}`
const START = String.raw`(?<![\p{L}\p{N}_-])`
const REST = String.raw`(?::\d+)?(?:\/\S*)?`
const LINK = [
  // A URL with a scheme.
  String.raw`${START}(?:[a-z][a-z\d+.-]{0,20}:\/\/|mailto:|javascript:|www\.)\S*`,
  // A word, a dot and an ending of letters.
  String.raw`${START}(?:${LABEL}${DOT}){0,5}(?=[\p{N}_-]*\p{L})${LABEL}${DOT}(?!(?:${FILES})(?![\p{L}\p{N}.]))(?:\p{L}{2,}|xn--[\p{L}\p{N}-]+)(?![\p{L}\p{N}])${REST}`,
  // a domain of digits, such as 163.com
  String.raw`(?<![\p{L}\p{N}_.,$])\d{1,20}\.(?:com|net|org|io|cn)(?![\p{L}\p{N}])${REST}`,
  // An IPv4 address.
  String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)${REST}`,
  // A dot written as a word.
  String.raw`${START}${LABEL}\s{0,3}[[({]\s?(?:dot|\.)\s?[\])}]\s{0,3}\p{L}{2,}|${START}${LABEL} dot (?:com|net|org|io|co)(?![\p{L}\p{N}])`,
].join('|')

const ANY = new RegExp(LINK, 'giu')

export const withoutLinks = (text: string): string => text.replace(ANY, '…')
