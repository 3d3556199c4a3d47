import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Stored } from './storage.server.ts'

export async function measure(stream: Readable): Promise<Stored> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
