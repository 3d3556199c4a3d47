// Removes personal data from a message before a language model reads it or staff make a lesson of it.

/** The customer who wrote the message. */
export type Asker = { firstName: string | null; lastName: string | null }
/** The writer of the message, and the orders whose numbers are not removed. */
export type OwnSecrets = { asker?: Asker | undefined; orders?: string[] }

const MIN_NAME_LENGTH = 2
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const CARD = /\b\d(?:[ -]?\d){11,18}\b/g
/** Three or more groups of capitals, or of letters and digits. */
const GROUPS =
  /(?<![\p{L}\p{N}-])(?:(?=[\p{L}-]*\d)[A-Za-z\d]{3,8}(?:-[A-Za-z\d]{3,8}){2,}|[A-Z]{3,8}(?:-[A-Z]{3,8}){2,})(?![\p{L}\p{N}])/gu
/** 'XYZ-12345' */
const PAIR = /(?<![\p{L}\p{N}-])(?:\p{L}{2,}-\d{4,}|\d{4,}-\p{L}{2,})(?![\p{L}\p{N}])/gu
const SPACED = /\b(?=[A-Z ]*\d)[A-Z\d]{4}(?: [A-Z\d]{4}){2,}\b/g
/** Letters and digits in one word of eight characters or more; '1920x1080' is a size. */
const MIXED =
  /(?<![\p{L}\p{N}])(?!\d+x\d+(?![\p{L}\p{N}]))(?=\p{L}*\p{N})(?=\p{N}*\p{L})[\p{L}\p{N}]{8,}(?![\p{L}\p{N}])/gu
const UUID = /(?<![\p{L}\p{N}])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/giu
const PHONE = /(?<![\p{L}\p{N}$.,])\+?\(?\d(?:[ ()/-]{0,2}\d){6,}(?![\p{L}\p{N}])/gu
const STREET = String.raw`street|road|avenue|boulevard|lane|highway|terrace|crescent`
const ADDRESSES = [
  // '12 Main Street, Berlin 10115'
  new RegExp(
    String.raw`(?<![\p{N}$.])\d{1,5}\p{L}?\s+(?:[\p{L}.'’-]+\s+){1,3}(?:${STREET})\b(?:,?(?:\s+\p{L}[\p{L}.'’-]*){0,3},?\s+\d{4,6}\b)?`,
    'giu',
  ),
  // 'Hauptstraße 12, 10115 Berlin'
  /(?<![\p{L}-])[\p{L}-]*(?:stra(?:ß|ss)e|str\.|gasse|allee|weg|platz)\s+\d{1,4}\s?\p{L}?(?![\p{L}\p{N}])(?:,?\s+\d{4,6}\b)?/giu,
  /\bP\.? ?O\.? box\s+\d+/gi,
]
/** Digits in the same sentence after a word that announces an address. */
const AFTER_ADDRESS = new RegExp(
  String.raw`(?<=\b(?:address|zip(?: code)?|post(?:al )?code|plz|apartment|apt|house number|${STREET})\b[^.!?\n"]{0,60})(?<![\p{N}$.,])\d{1,6}(?![\p{N}.,]*\p{N})\p{L}?(?![\p{L}])`,
  'giu',
)

/**
 * Removes addresses, telephone numbers, card numbers, codes, payment ids and the customer's names. Numbers of `orders`
 * stay, in the eight characters that the shop shows.
 */
export function withoutSecrets(text: string, { asker, orders = [] }: OwnSecrets = {}): string {
  const known = new Set(orders)
  const code = (said: string) => (known.has(said.toLowerCase()) ? said : '[code]')
  const clean = text
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]')
    .replace(UUID, '[code]')
    .replace(CARD, '[number]')
    .replace(GROUPS, '[code]')
    .replace(SPACED, '[code]')
    .replace(PAIR, '[code]')
    .replace(MIXED, code)
    .replace(PHONE, (said) => (known.has(said) ? said : '[number]'))
    .replace(ADDRESSES[0]!, '[address]')
    .replace(ADDRESSES[1]!, '[address]')
    .replace(ADDRESSES[2]!, '[address]')
    .replace(AFTER_ADDRESS, '[number]')
  const names = [asker?.firstName, asker?.lastName].flatMap((name) => {
    const plain = name?.trim() ?? ''
    return plain.length >= MIN_NAME_LENGTH ? [escaped(plain)] : []
  })
  if (names.length === 0) return clean
  return clean.replace(new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${names.join('|')})(?![\p{L}\p{N}])`, 'giu'), '[name]')
}
