// Converts between cents and decimal strings, in USD and without floats. No other file converts them.

export function toDecimal(cents: number | bigint): string {
  const value = BigInt(cents)
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const DECIMAL = /^\d{1,6}(\.\d{1,2})?$/

export const TOTAL = /^\d{1,13}(\.\d{1,2})?$/

/** '44.9' -> 4490. Throws a RangeError for any other form. */
export function toCents(decimal: string): number {
  if (!TOTAL.test(decimal)) throw new RangeError(`not an amount: ${decimal.slice(0, 40)}`)
  const [whole = '0', part = ''] = decimal.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0') || '0')
}

/** '-19.00' -> -1900, '19.00' -> 1900. Throws a RangeError for any other form. */
export const signedCents = (decimal: string): number =>
  decimal.startsWith('-') ? -toCents(decimal.slice(1)) : toCents(decimal)
