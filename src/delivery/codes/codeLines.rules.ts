import { unguardCell } from '../../kit/csv/csv.rules.ts'

// The lines of a list of codes: one code a line, or a table with codes and days. Pure.

export const LONGEST_CODE = 200

export type CodeLine = { code: string; day: string }
/** Why a line adds nothing. */
export type LineProblem = 'empty' | 'long' | 'signs' | 'day'

const CODE_COLUMN = /^(gift ?card|voucher|serial|license|licence)?[ _-]?(codes?|keys?|numbers?|pins?)$/i
const DAY_COLUMN = /^(expires?|expiry|expiration|valid)[ _-]?(date|at|on|until|to)?$/i

/** The cells of one row; quotation marks hold delimiters. */
export const readCells = (row: string): string[] =>
  [...row.matchAll(/(?<=^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(([, quoted, plain]) =>
    unguardCell((quoted?.replaceAll('""', '"') ?? plain ?? '').trim()),
  )

/** Reads one line after another. A table may name its columns; without names the code comes first, then the day. */
export function openLines({ isTable }: { isTable: boolean }) {
  let columns = { code: 0, day: 1 }
  let isFirst = true
  /** Null for the names of the columns. */
  return (line: string): CodeLine | null => {
    if (!isTable) return { code: line.trim(), day: '' }
    const cells = readCells(line)
    if (isFirst && line.trim() !== '') {
      isFirst = false
      const code = cells.findIndex((cell) => CODE_COLUMN.test(cell))
      if (code >= 0) {
        columns = { code, day: cells.findIndex((cell) => DAY_COLUMN.test(cell)) }
        return null
      }
    }
    return { code: cells[columns.code] ?? '', day: cells[columns.day] ?? '' }
  }
}

/** `today` is a day in UTC: '2026-11-23'. */
export function problemOf({ code, day }: CodeLine, today: string): LineProblem | null {
  if (code === '') return 'empty'
  if (code.length > LONGEST_CODE) return 'long'
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u.test(code)) return 'signs'
  return day === '' || isDay(day, today) ? null : 'day'
}

/** A day of the calendar that is not over. */
export function isDay(day: string, today: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) && day >= today
}

/** Enough to tell codes apart, a third of the code at most: '•••• 7QX2'. */
export function maskOf(code: string): string {
  const shown = Math.min(4, Math.floor(code.length / 3))
  return `•••• ${shown > 0 ? code.slice(-shown) : ''}`
}
