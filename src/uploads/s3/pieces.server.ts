import type { Readable } from 'node:stream'
import { emptyFile, interrupted, tooLarge } from '../storing.server.ts'

/** Splits a stream into pieces with one in memory. Throws a Failure 413 above `maxBytes`, 400 if the stream breaks. */
export async function* piecesOf(stream: Readable, pieceBytes: number, maxBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let [held, total] = [0, 0]
  try {
    for await (let chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > maxBytes) throw tooLarge(maxBytes)
      while (held + chunk.length >= pieceBytes) {
        const rest = pieceBytes - held
        yield Buffer.concat([...chunks, chunk.subarray(0, rest)])
        chunk = chunk.subarray(rest)
        ;[chunks, held] = [[], 0]
      }
      if (chunk.length === 0) continue
      chunks.push(chunk)
      held += chunk.length
    }
  } catch (error) {
    throw interrupted(error) ?? error
  }
  if (total === 0) throw emptyFile()
  if (held > 0) yield Buffer.concat(chunks)
}
