// What may be read as a link. The texts of sellers lose it.

const DOT = '[.\u3002\uFF0E\uFF61]'
/** Endings of files that no domain has. */
const FILES = 'jsx?|tsx?|css|html?|pdf|epub|txt|csv|wav|png|jpe?g|gif|svg|json|xml|docx?|xlsx?|pptx?|ya?ml'
// bounded, so that a long text of a seller costs no more than its length
const LABEL = String.raw`[\p{L}\p{N}_-]{1,63}`
const START = String.raw`(?<![\p{L}\p{N}_-])`
const REST = String.raw`(?::\d+)?(?:\/\S*)?`
const LINK = [
  // an address with a scheme
  String.raw`${START}(?:[a-z][a-z\d+.-]{0,20}:\/\/|mailto:|javascript:|www\.)\S*`,
  // a word, a dot and an ending of letters, whatever the ending is
  String.raw`${START}(?:${LABEL}${DOT}){0,5}(?=[\p{N}_-]*\p{L})${LABEL}${DOT}(?!(?:${FILES})(?![\p{L}\p{N}.]))(?:\p{L}{2,}|xn--[\p{L}\p{N}-]+)(?![\p{L}\p{N}])${REST}`,
  // a domain of digits, such as 163.com
  String.raw`(?<![\p{L}\p{N}_.,$])\d{1,20}\.(?:com|net|org|io|cn)(?![\p{L}\p{N}])${REST}`,
  // an address of four numbers
  String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)${REST}`,
  // a dot in words
  String.raw`${START}${LABEL}\s{0,3}[[({]\s?(?:dot|\.)\s?[\])}]\s{0,3}\p{L}{2,}|${START}${LABEL} dot (?:com|net|org|io|co)(?![\p{L}\p{N}])`,
].join('|')

const ANY = new RegExp(LINK, 'giu')

export const withoutLinks = (text: string): string => text.replace(ANY, '…')
