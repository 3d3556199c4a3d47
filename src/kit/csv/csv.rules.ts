// Writes rows of a CSV file (RFC 4180) that are safe to open in a spreadsheet.

// Spreadsheets run a cell that begins with one of these characters as a formula; Japanese ones also accept the
// full-width forms. A leading apostrophe turns the cell into text. Reading removes exactly one apostrophe.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const AMOUNT = /^-?\d+\.\d\d$/

export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const unguardCell = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text)

function writeCell(value: string | number): string {
  const text = String(value)
  const cell = AMOUNT.test(text) ? text : guardCell(text)
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

export const writeRow = (cells: (string | number)[]): string => `${cells.map(writeCell).join(',')}\r\n`
