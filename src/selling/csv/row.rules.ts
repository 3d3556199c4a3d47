// Rows of a CSV file as RFC 4180 writes them, safe to open in a spreadsheet.

/** A spreadsheet takes a text that starts like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/
/** An amount may be below 0. */
const AMOUNT = /^-?\d+\.\d\d$/

export function writeCell(value: string | number): string {
  const text = String(value)
  const safe = FORMULA.test(text) && !AMOUNT.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const writeRow = (cells: (string | number)[]): string => `${cells.map(writeCell).join(',')}\r\n`
