import { DECIMAL, toCents, toDecimal } from '../kit/money.ts'

export const POSITIVE = 'Price must be a positive number'
export const TWO_DECIMALS = 'Price can have up to two decimals'
export const TOO_HIGH = 'Price can be at most $999,999.99'
/** For a valid price in a wrong spelling: '1e3', or '5,00' in a request. */
const OTHERWISE = 'Write the price in digits with a point, like 12.50'
const MAX_CENTS = 999_999_99

export const MAX_CHOSEN_CENTS = 99_999_99
export const TOO_MUCH = 'At most $99,999.99'

export function priceProblem(price: string, { mayBeFree = false } = {}): string | null {
  const [, whole, part = ''] = /^(\d*)(?:\.(\d*))?$/.exec(price) ?? []
  if (whole === undefined) {
    const meant = Number(readPrice(price))
    return meant > 0 && Number.isFinite(meant) ? OTHERWISE : POSITIVE
  }
  if (!/[1-9]/.test(whole + part) && !(mayBeFree && DECIMAL.test(price))) return POSITIVE
  if (whole.replace(/^0+/, '').length > 6) return TOO_HIGH
  if (part.length > 2) return TWO_DECIMALS
  return DECIMAL.test(price) ? null : OTHERWISE
}

/** Groups of three digits with one separator, optionally followed by the other separator and decimals. */
const GROUPED = /^[1-9]\d{0,2}(?:(,)\d{3}(?:,\d{3})*(?:\.\d*)?|(\.)\d{3}(?:(?:\.\d{3})+|(?:\.\d{3})*,\d*))$/

/**
 * Converts a typed price to wire format: '12,50' and '12.50' are twelve and a half; '1,250.00', '1.250,00' and '1,250'
 * are 1250. Returns other text unchanged, so that `priceProblem` rejects it.
 */
export function readPrice(typed: string): string {
  const text = typed.trim().replace(/^\$\s*/, '')
  const groups = GROUPED.exec(text)
  const plain = groups
    ? groups[1]
      ? text.replaceAll(',', '')
      : text.replaceAll('.', '').replace(',', '.')
    : text.replace(/^(\d*),(\d*)$/, '$1.$2')
  return plain
    .replace(/^\./, '0.')
    .replace(/^(\d+)\.$/, '$1')
    .replace(/^0+(?=\d)/, '')
}

export function stepPrice(typed: string, by: 1 | -1): string {
  const price = readPrice(typed)
  const cents = priceProblem(price) ? 0 : toCents(price)
  return toDecimal(Math.min(MAX_CENTS, Math.max(1, cents + by)))
}
