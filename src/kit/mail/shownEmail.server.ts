import { domainToASCII, domainToUnicode } from 'node:url'

/** Scripts that one label of a domain may mix. Japanese and Korean also use Han letters. */
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
/** Matches Cyrillic and Greek labels whose letters all look Latin, such as 'а' and 'ο'. */
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуԍвнкмтαικνορτυχ\d-]+$/u

const isClear = (label: string) =>
  /^[\x21-\x7e]+$/.test(label) || (SCRIPTS.some((script) => script.test(label)) && !LOOKS_LATIN.test(label))

/**
 * Returns an address with its domain in Unicode: 'ada@xn--bcher-kva.example' -> 'ada@bücher.example'. The domain stays
 * in ASCII if a label mixes scripts or looks Latin, or if the domain does not convert back.
 */
export function shownEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  if (!/(?:^|\.)xn--/.test(domain)) return email
  const shown = domainToUnicode(domain)
  return domainToASCII(shown) === domain && shown.split('.').every(isClear) ? email.slice(0, at) + shown : email
}

const EMAIL_FIELD = /("(?:email|toEmail|buyerEmail|sentTo|recipient|buyer|askedBy|by)" ?: ?")([^"\\]+@[a-z\d.-]+)(?=")/g

/**
 * Converts the domains in the email fields of a JSON reply to Unicode. Text inside a value never matches, because JSON
 * escapes its quotes. So goods stay unchanged.
 */
export const withShownEmails = (json: string): string =>
  json.includes('xn--')
    ? json.replace(EMAIL_FIELD, (_, field: string, email: string) => field + shownEmail(email))
    : json
