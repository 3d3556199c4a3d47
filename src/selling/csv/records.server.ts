import { CsvError, parse } from 'csv-parse/sync'
import type { CsvRecord } from './csvRecord.rules.ts'

// Reads the records of a CSV file one by one. After an unreadable record, reading continues at its second line.

export const MAX_RECORD_LENGTH = 200_000
/** Maximum number of unreadable records, because each one rescans up to the length of a record. */
const MAX_RESUMED = 100

const NOT_CLOSED = 'A quotation mark is not closed.'
const NOT_DOUBLED = 'A quotation mark within a cell must be written twice, and the cell be put in quotation marks.'

/** Thrown with the reason why the rest of a file cannot be read. */
export class Unreadable extends Error {}

export async function* splitRecords(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  const scanner = openScanner(delimiter)
  let resumed = 0
  const read = (end: { text: string; length: number } | null): CsvRecord => {
    if (end) {
      const record = parseRecord(end.text, delimiter)
      if (record.problem === null || !/[\r\n]/.test(end.text)) {
        scanner.drop(end.length)
        return record
      }
    }
    if (++resumed > MAX_RESUMED) throw new Unreadable(NOT_CLOSED)
    const line = scanner.dropLine()
    return { cells: line.split(delimiter), problem: parseRecord(line, delimiter).problem ?? NOT_CLOSED }
  }
  for await (const text of texts) {
    scanner.push(text)
    for (let end = scanner.find(); end || scanner.isFull(); end = scanner.find()) yield read(end)
  }
  scanner.end()
  while (!scanner.isEmpty()) yield read(scanner.find())
}

const TOO_LONG = `is longer than ${MAX_RECORD_LENGTH.toLocaleString('en')} characters. Is a quotation mark not closed?`

function parseRecord(text: string, delimiter: string): CsvRecord {
  if (!text.includes('"')) return { cells: text.split(delimiter), problem: null }
  try {
    const [cells] = parse(text, { delimiter, relax_column_count: true, record_delimiter: '\0' })
    return { cells: cells ?? [''], problem: null }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const problem = error.code === 'CSV_QUOTE_NOT_CLOSED' ? NOT_CLOSED : NOT_DOUBLED
    return { cells: text.split(delimiter), problem }
  }
}

/** Finds the ends of records. A scan continues where the last chunk ended. */
function openScanner(delimiter: string) {
  let buffer = ''
  let at = 0
  let isQuoted = false
  let isCellStart = true
  let isEnd = false
  const drop = (length: number) => {
    buffer = buffer.slice(length)
    at = 0
    isQuoted = false
    isCellStart = true
  }
  /** Returns true if the character after `at` has not arrived. */
  const isCut = () => !isEnd && at + 1 >= buffer.length
  return {
    push: (text: string) => void (buffer += text),
    end: () => void (isEnd = true),
    isEmpty: () => buffer === '',
    isFull: () => buffer.length > MAX_RECORD_LENGTH && at >= MAX_RECORD_LENGTH,
    drop,
    /** Removes and returns the first line of a record without an end. */
    dropLine(): string {
      const line = /^[^\r\n]*/.exec(buffer)![0]
      if (line.length > MAX_RECORD_LENGTH) throw new Unreadable(TOO_LONG)
      drop(line.length + (buffer.startsWith('\r\n', line.length) ? 2 : 1))
      return line
    },
    find(): { text: string; length: number } | null {
      while (at < buffer.length) {
        const sign = buffer[at]!
        if (isQuoted) {
          if (sign !== '"') {
            const next = buffer.indexOf('"', at)
            at = next < 0 ? buffer.length : next
          } else if (isCut()) return null
          else if (buffer[at + 1] === '"') at += 2
          else {
            isQuoted = false
            at++
          }
        } else if (sign === '\n' || sign === '\r') {
          if (sign === '\r' && isCut()) return null
          const length = at + (buffer.startsWith('\r\n', at) ? 2 : 1)
          return { text: buffer.slice(0, at), length }
        } else {
          isQuoted = sign === '"' && isCellStart
          isCellStart = sign === delimiter
          at++
        }
      }
      return isEnd && !isQuoted && buffer !== '' ? { text: buffer, length: buffer.length } : null
    },
  }
}
