// A spreadsheet runs a cell that begins with one of these signs as a formula. An apostrophe in front makes it text. Cells that
// have apostrophes there already get one more, so that reading takes exactly one away.
const FORMULA = /^'*[=+\-@\t\r]/

export const guardCell = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

export const unguardCell = (text: string) => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text)

/** One record with its end of line (RFC 4180). */
export const writeRecord = (cells: string[]): string => `${cells.map(writeCell).join()}\r\n`

function writeCell(text: string): string {
  const cell = guardCell(text)
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
