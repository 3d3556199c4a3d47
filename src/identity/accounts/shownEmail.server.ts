import { domainToASCII, domainToUnicode } from 'node:url'

/** Scripts that one word may mix: Japanese and Korean write Han letters beside their own. */
const SCRIPTS = [
  /^[\p{Script=Latin}\p{M}\d-]+$/u,
  /^[\p{Script=Greek}\p{M}\d-]+$/u,
  /^[\p{Script=Cyrillic}\p{M}\d-]+$/u,
  /^[\p{Script=Arabic}\p{M}\d-]+$/u,
  /^[\p{Script=Hebrew}\p{M}\d-]+$/u,
  /^[\p{Script=Devanagari}\p{M}\d-]+$/u,
  /^[\p{Script=Thai}\p{M}\d-]+$/u,
  /^[\p{Script=Georgian}\p{M}\d-]+$/u,
  /^[\p{Script=Armenian}\p{M}\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\d-]+$/u,
]
/** Cyrillic and Greek words of letters that all look Latin, such as 'а' and 'ο'. */
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуԍвнкмтαικνορτυχ\d-]+$/u

const isClear = (label: string) =>
  /^[\x21-\x7e]+$/.test(label) || (SCRIPTS.some((script) => script.test(label)) && !LOOKS_LATIN.test(label))

/**
 * Returns an address as people write it: 'ada@xn--bcher-kva.example' -> 'ada@bücher.example'. A domain that mixes scripts, looks like
 * another or does not convert back stays as it is.
 */
export function shownEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  if (!/(?:^|\.)xn--/.test(domain)) return email
  const shown = domainToUnicode(domain)
  return domainToASCII(shown) === domain && shown.split('.').every(isClear) ? email.slice(0, at) + shown : email
}
