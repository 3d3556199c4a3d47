import { withoutHidden } from '../../kit/text.rules.ts'

export const MAX_EMAIL_LENGTH = 254

const LOCAL = "[a-z\\d!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
/** Matches an unquoted local part (RFC 5322) and a domain with a dot. */
export const EMAIL = new RegExp(
  `^(?=.{3,64}@|.{1,2}@)${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+[a-z](?:[a-z\\d-]{0,61}[a-z\\d])$`,
  'i',
)
const DOMAIN = /^[\p{L}\p{N}\p{M}.-]+$/u

/** Converts a domain to the ASCII form of mail servers: 'bücher.example' -> 'xn--bcher-kva.example'. */
function asciiDomain(domain: string): string {
  if (/^[\x20-\x7e]*$/.test(domain) || !DOMAIN.test(domain) || !URL.canParse(`http://${domain}`)) return domain
  return new URL(`http://${domain}`).hostname
}

/**
 * Removes invisible characters that contact apps add, and converts the domain to ASCII. Lowercases only A to Z: other
 * letters that lowercase to a to z, such as the kelvin sign, belong to another mailbox.
 */
export function tidyEmail(text: string): string {
  const plain = withoutHidden(text)
    .trim()
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const at = plain.lastIndexOf('@') + 1
  return plain.slice(0, at) + asciiDomain(plain.slice(at))
}
