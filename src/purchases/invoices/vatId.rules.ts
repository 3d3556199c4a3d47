// Checks only the format of a VAT ID. Only a tax office knows whether a VAT ID is registered.

const FORMS: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z\d]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
}
/** Format for other countries after the country code: 5 to 18 letters and digits, at least one digit. */
const ELSEWHERE = /^(?=.*\d)[A-Z\d]{5,18}$/

/** 'de 136 695 976' -> 'DE136695976' */
export const tidyVatId = (typed: string): string => typed.toUpperCase().replace(/[\s.\-/]/g, '')

/** Accepts the empty text, because the VAT ID is optional. */
export function isVatId(typed: string): boolean {
  const tidy = tidyVatId(typed)
  if (tidy === '') return true
  const [country, rest] = [tidy.slice(0, 2), tidy.slice(2)]
  if (!/^[A-Z]{2}$/.test(country)) return false
  return (FORMS[country] ?? ELSEWHERE).test(rest)
}
