// VAT identification numbers by their form alone. Only a tax office can say that one is registered.

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
/** Anywhere else: letters of the country, then at least five letters and digits. */
const ELSEWHERE = /^(?=.*\d)[A-Z\d]{5,18}$/

/** 'de 136 695 976' -> 'DE136695976' */
export const tidyVatId = (typed: string): string => typed.toUpperCase().replace(/[\s.\-/]/g, '')

/** The empty text is no VAT ID and no mistake. */
export function isVatId(typed: string): boolean {
  const tidy = tidyVatId(typed)
  if (tidy === '') return true
  const [country, rest] = [tidy.slice(0, 2), tidy.slice(2)]
  if (!/^[A-Z]{2}$/.test(country)) return false
  return (FORMS[country] ?? ELSEWHERE).test(rest)
}
