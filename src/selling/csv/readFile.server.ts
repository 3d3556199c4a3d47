import { Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import { Failure } from '../../kit/failure.ts'
import { MOST_BYTES } from './csv.contract.ts'

// Reads a CSV file as it arrives, so that no file is whole in memory.

/** The longest record, in characters. A quotation mark without an end would make one of the rest of the file. */
const LONGEST_RECORD = 200_000
/** The delimiter is known by the end of the header. */
const LONGEST_HEADER = 64 * 1024
const DELIMITERS = [',', ';', '\t'] as const

const refuse = (message: string) => new Failure(400, message, 'unreadable')
const NOT_TEXT = 'The file is not text in UTF-8. Save it as “CSV UTF-8” and try again.'

export const tooLarge = () =>
  new Failure(413, `The file is larger than ${MOST_BYTES / 1024 / 1024} MB. Split it.`, 'too_large')

/** The records of a file, the header first. An empty line is an empty record, so that rows are counted as in a spreadsheet. */
export async function* readRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const library = await import('csv-parse')
  const texts = decode(bytes)
  let head = ''
  let delimiter = delimiterOf(head)
  // not by a loop over them, which would end them
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    head += next.value
    delimiter = delimiterOf(head)
    if (delimiter.isSure || head.length > LONGEST_HEADER) break
  }
  async function* all() {
    yield head
    yield* texts
  }
  const parser = library.parse({
    delimiter: delimiter.sign,
    relax_column_count: true,
    max_record_size: LONGEST_RECORD,
  })
  const source = Readable.from(all())
  source.on('error', (error) => parser.destroy(error))
  try {
    yield* source.pipe(parser) as AsyncIterable<string[]>
  } catch (error) {
    if (!(error instanceof library.CsvError)) throw error
    throw refuse(sentenceOf(error))
  } finally {
    source.destroy()
    parser.destroy()
  }
}

function sentenceOf({ code, records }: CsvError): string {
  const row = Number(records) + 1
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `Row ${row}: A quotation mark is not closed.`
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `Row ${row} is longer than ${LONGEST_RECORD.toLocaleString('en')} characters. Is a quotation mark not closed?`
  return `Row ${row}: A quotation mark within a cell must be written twice, and the cell be put in quotation marks.`
}

/** Throws a Failure for a file that is too large or not UTF-8. The mark at its start is dropped. */
async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  const read = (chunk?: Buffer) => {
    try {
      return chunk ? utf8.decode(chunk, { stream: true }) : utf8.decode()
    } catch {
      throw refuse(NOT_TEXT)
    }
  }
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MOST_BYTES) throw tooLarge()
    const text = read(chunk)
    if (text.includes('\0')) throw refuse(NOT_TEXT)
    yield text
  }
  yield read()
}

/** The sign that the header has most often outside of quotation marks; sure once the header has ended. */
function delimiterOf(text: string): { sign: string; isSure: boolean } {
  const counts = new Map<string, number>(DELIMITERS.map((sign) => [sign, 0]))
  let isQuoted = false
  let isSure = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && (letter === '\n' || letter === '\r')) {
      isSure = true
      break
    } else if (!isQuoted && counts.has(letter)) counts.set(letter, counts.get(letter)! + 1)
  }
  const [[sign]] = [...counts].toSorted(([, a], [, b]) => b - a) as [[string, number]]
  return { sign, isSure }
}
