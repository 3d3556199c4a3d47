import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../../kit/database.server.ts'

const CHUNK_BYTES = 256 * 1024

let queue: Promise<unknown> = Promise.resolve()

/**
 * How many bytes a GZIP archive unpacks to, all its members together, up to the first damage. Stops counting after `mostBytes`. Archives
 * wait for each other, so that they take one thread of the node.
 */
export function countUnpacked(open: () => Promise<Readable>, mostBytes: number): Promise<number> {
  const counted = queue.then(async () => count(await open(), mostBytes))
  queue = counted.catch(() => undefined)
  return counted
}

async function count(packed: Readable, mostBytes: number): Promise<number> {
  const unpacked = pipeline(packed, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined)
  let bytes = 0
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBytes) break
    }
  } catch (error) {
    if (!codeOf(error).startsWith('Z_')) throw error
  }
  return bytes
}
