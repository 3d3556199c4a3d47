import { unguardCell } from '../../kit/csv/csv.rules.ts'
import type { CodeParts } from './codeParts.rules.ts'

export const MAX_CODE_LENGTH = 200
export const MAX_PART_LENGTH = 100

export const CODE_PARTS = ['code', 'pin', 'serial', 'day'] as const
export type CodePart = (typeof CODE_PARTS)[number]
export type Column = { name: string; as: CodePart | null }

export type CodeLine = CodeParts & { day: string }
export type LineProblem = 'empty' | 'long' | 'signs' | 'day' | 'pin'

const SERIAL = /^(serial([ _-]?(number|no\.?|code|#))?|s\/?n)$/i
const PIN =
  /^((card|gift ?card|voucher|security|access|secret)[ _-]?)?(pins?([ _-]?(codes?|numbers?|no\.?))?|security[ _-]?code|cvv)$/i
const NUMBER =
  /^((gift ?card|card|voucher|coupon|prepaid|serial|license|licence|activation|redeem|redemption|product|digital)[ _-]?)*(codes?|keys?|numbers?|no\.?|(gift ?)?card|voucher)$/i
const DAY = /^(expires?|expiry|expiration|valid)[ _-]?(date|day|at|on|until|to|till|thru|through)?$/i

const PATTERNS: [CodePart, RegExp][] = [
  ['serial', SERIAL],
  ['pin', PIN],
  ['day', DAY],
  ['code', NUMBER],
]
const partOf = (name: string): CodePart | null => PATTERNS.find(([, pattern]) => pattern.test(name))?.[0] ?? null

/**
 * Maps column names to parts of a code. Null if no name means a part. A table without a number column uses the PIN as
 * the code, or else the serial number.
 */
export function readColumns(names: string[]): Column[] | null {
  const columns: Column[] = []
  for (const name of names) {
    const as = partOf(name)
    columns.push({ name, as: columns.some((column) => column.as === as) ? null : as })
  }
  if (!columns.some(({ as }) => as === 'code')) {
    const number = columns.find(({ as }) => as === 'pin') ?? columns.find(({ as }) => as === 'serial')
    if (!number) return null
    number.as = 'code'
  }
  return columns
}

export const readCells = (row: string): string[] =>
  [...row.matchAll(/(?<=^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(([, quoted, plain]) =>
    unguardCell((quoted?.replaceAll('""', '"') ?? plain ?? '').trim()),
  )

const UNNAMED: Column[] = [
  { name: '1', as: 'code' },
  { name: '2', as: 'day' },
]

/**
 * Parses lines one by one. A table may have a header; without one, the first column is the code and the second the day.
 * A text whose first line names two parts of a code is a table pasted from a spreadsheet.
 */
export function openLines({ isTable }: { isTable: boolean }) {
  let columns: Column[] = isTable ? UNNAMED : []
  let isFirst = true
  let widest = 0
  const readFirst = (line: string): boolean => {
    isFirst = false
    const named = readColumns(readCells(line))
    if (!named || (!isTable && named.filter(({ as }) => as !== null).length < 2)) return false
    columns = named
    widest = named.length
    return true
  }
  return {
    read(line: string): CodeLine | null {
      if (isFirst && line.trim() !== '' && readFirst(line)) return null
      if (columns.length === 0) return { code: line.trim(), pin: '', serial: '', day: '' }
      const cells = readCells(line)
      widest = Math.max(widest, cells.length)
      // adds unnamed columns, so that the seller sees that they are not imported
      for (let i = columns.length; i < cells.length; i++)
        if (cells[i] !== '') columns = [...columns, { name: String(i + 1), as: null }]
      const cellOf = (part: CodePart) => cells[columns.findIndex(({ as }) => as === part)] ?? ''
      return { code: cellOf('code'), pin: cellOf('pin'), serial: cellOf('serial'), day: cellOf('day') }
    },
    columns: () => columns.slice(0, widest),
  }
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u

/** Returns the problem of a line. `today` is a UTC day: '2026-11-23'. `hasPins`: the table has a PIN column. */
export function problemOf(
  { code, pin, serial, day }: CodeLine,
  { today, hasPins }: { today: string; hasPins: boolean },
): LineProblem | null {
  if (code === '') return 'empty'
  if (hasPins && pin === '') return 'pin'
  if (code.length > MAX_CODE_LENGTH || Math.max(pin.length, serial.length) > MAX_PART_LENGTH) return 'long'
  if (HIDDEN.test(code + pin + serial)) return 'signs'
  return day === '' || isDay(day, today) ? null : 'day'
}

export function isDay(day: string, today: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) && day >= today
}

/** Shows enough to tell codes apart, at most a third of the code: '•••• 7QX2'. */
export function maskOf(code: string): string {
  const shown = Math.min(4, Math.floor(code.length / 3))
  return `•••• ${shown > 0 ? code.slice(-shown) : ''}`
}
