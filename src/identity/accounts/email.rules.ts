import { withoutHidden } from '../../kit/text.rules.ts'

export const LONGEST_EMAIL = 254

const LOCAL = "[a-z\\d!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
/** The local part as RFC 5322 without quotes, and a domain with a dot. */
export const EMAIL = new RegExp(
  `^(?=.{3,64}@|.{1,2}@)${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+[a-z](?:[a-z\\d-]{0,61}[a-z\\d])$`,
  'i',
)
const DOMAIN = /^[\p{L}\p{N}\p{M}.-]+$/u

/** The form that mail servers know: 'bücher.example' -> 'xn--bcher-kva.example'. */
function asciiDomain(domain: string): string {
  if (/^[\x20-\x7e]*$/.test(domain) || !DOMAIN.test(domain) || !URL.canParse(`http://${domain}`)) return domain
  return new URL(`http://${domain}`).hostname
}

/**
 * Removes marks that contact apps add, and writes the domain in ASCII. Lowercases A to Z only: other letters that fold to
 * them, such as the kelvin sign, belong to another mailbox.
 */
export function tidyEmail(text: string): string {
  const plain = withoutHidden(text)
    .trim()
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const at = plain.lastIndexOf('@') + 1
  return plain.slice(0, at) + asciiDomain(plain.slice(at))
}
