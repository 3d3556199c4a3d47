import { Failure } from '../../kit/failure.ts'
import { MAX_CODE_LENGTH } from './codeLines.rules.ts'
import { MAX_BYTES } from './stock.contract.ts'
import { required } from '../../kit/values/required.ts'

const MAX_LINE_LENGTH = 20 * MAX_CODE_LENGTH

const NOT_TEXT = new Failure(400, 'The list is not text in UTF-8. Save it as plain text or “CSV UTF-8”.', 'unreadable')
export const TOO_LARGE = new Failure(
  413,
  `The list is larger than ${MAX_BYTES / 1024 / 1024} MB. Split it.`,
  'too_large',
)

/** Yields the lines of a text as it arrives, so that no list is whole in memory. Drops the byte order mark. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let rest = ''
  const decode = (chunk?: Buffer) => {
    try {
      return chunk ? utf8.decode(chunk, { stream: true }) : utf8.decode()
    } catch {
      throw NOT_TEXT
    }
  }
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_BYTES) throw TOO_LARGE
    const lines = (rest + decode(chunk)).split('\n')
    rest = required(lines.pop(), 'the last line').slice(0, MAX_LINE_LENGTH)
    for (const line of lines) yield withoutReturn(line)
  }
  rest += decode()
  if (rest !== '') yield withoutReturn(rest)
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, MAX_LINE_LENGTH)
