import { Failure } from '../../kit/failure.ts'
import { MAX_BYTES } from './csv.contract.ts'
import type { CsvRecord } from './csvRecord.rules.ts'

// Reads a CSV file as a stream, so that memory never contains the whole file.

/** The delimiter must be found within this part of the header. */
const MAX_HEADER_LENGTH = 64 * 1024
const DELIMITERS = [',', ';', '\t'] as const

const refuse = (message: string) => new Failure(400, message, 'unreadable')
const NOT_TEXT = 'The file is not text in UTF-8. Save it as “CSV UTF-8” and try again.'

export const tooLarge = () =>
  new Failure(413, `The file is larger than ${MAX_BYTES / 1024 / 1024} MB. Split it.`, 'too_large')

/** Reads the records of a file. An empty line is an empty record, so that row numbers match a spreadsheet. */
export async function* readRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  // loads the parser on demand, with the first import
  const { splitRecords, Unreadable } = await import('./records.server.ts')
  const texts = decode(bytes)
  let head = ''
  let start = startOf(head)
  // `break` in a `for await` loop would close the generator, but the code below reads its rest
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    head += next.value
    start = startOf(head)
    if (start.isSure || head.length > MAX_HEADER_LENGTH) break
  }
  async function* all() {
    yield head.slice(0, start.from) + head.slice(start.to)
    yield* texts
  }
  let count = 0
  try {
    for await (const record of splitRecords(all(), start.delimiter)) {
      count++
      yield record
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw refuse(`Row ${count + 1}${/^[A-Z]/.test(error.message) ? ':' : ''} ${error.message}`)
  }
}

/** Throws a Failure for a file that is too large or not UTF-8. Drops the byte order mark. */
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
    if (size > MAX_BYTES) throw tooLarge()
    const text = read(chunk)
    if (text.includes('\0')) throw refuse(NOT_TEXT)
    yield text
  }
  yield read()
}

/** A first line like `sep=;` sets the delimiter in Excel, which does not count this line as a row. */
const SEPARATOR_LINE = /^\s*("?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n|$))/i

/** Finds the delimiter, and the `sep=` line that sets it. `isSure` is true when the text contains the whole header. */
function startOf(text: string): { delimiter: string; from: number; to: number; isSure: boolean } {
  const [all = '', line = '', named] = SEPARATOR_LINE.exec(text) ?? []
  if (named)
    return { delimiter: named, from: all.length - line.length, to: all.length, isSure: text.length > all.length }
  return { ...headerDelimiter(text.trimStart()), from: 0, to: 0 }
}

/** Returns the most frequent delimiter of the header outside of quotation marks. */
function headerDelimiter(text: string): { delimiter: string; isSure: boolean } {
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
  const [[delimiter]] = [...counts].toSorted(([, a], [, b]) => b - a) as [[string, number]]
  return { delimiter, isSure }
}
