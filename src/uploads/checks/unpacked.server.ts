import { pipeline, Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { codeOf } from '../../kit/database.server.ts'
import { LOCAL, type ZipEntry } from './zip.server.ts'

// Counts the unpacked bytes of archives, because the sizes in an archive can be false. Stores no content.

const CHUNK_BYTES = 256 * 1024
const HEAD_BYTES = 30

let queue: Promise<unknown> = Promise.resolve()

/** Counts one archive at a time, so that archives use one thread of the node. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = queue.then(work)
  queue = done.catch(() => undefined)
  return done
}

export const countGzip = (open: () => Promise<Readable>, mostBytes: number): Promise<number> =>
  inTurn(async () => count(await open(), createGunzip({ chunkSize: CHUNK_BYTES }), mostBytes))

/**
 * Counts the unpacked bytes of a ZIP archive in one pass and stops after `mostBytes`. Entries that share bytes count as
 * infinite, because only attackers create them.
 */
export const countZip = (open: () => Promise<Readable>, entries: ZipEntry[], mostBytes: number): Promise<number> =>
  inTurn(async () => {
    const stream = await open()
    try {
      return await countEntries(openCursor(stream), entries, mostBytes)
    } finally {
      stream.destroy()
    }
  })

async function countEntries(archive: Cursor, entries: ZipEntry[], mostBytes: number): Promise<number> {
  let total = 0
  for (const { offset, method, packedBytes, unpackedBytes } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < archive.position()) return Infinity
    await archive.skip(offset - archive.position())
    const head = await archive.read(HEAD_BYTES)
    const isWhole = head.length === HEAD_BYTES && head.readUInt32LE(0) === LOCAL
    if (isWhole) await archive.skip(head.readUInt16LE(26) + head.readUInt16LE(28))
    const end = archive.position() + packedBytes
    total +=
      isWhole && method === DEFLATED
        ? await count(
            Readable.from(archive.pieces(packedBytes)),
            createInflateRaw({ chunkSize: CHUNK_BYTES }),
            mostBytes,
          )
        : Math.max(packedBytes, unpackedBytes)
    if (total > mostBytes) return total
    await archive.skip(end - archive.position())
  }
  return total
}

const DEFLATED = 8

async function count(
  packed: Readable,
  unpacker: ReturnType<typeof createGunzip> | ReturnType<typeof createInflateRaw>,
  mostBytes: number,
): Promise<number> {
  const unpacked = pipeline(packed, unpacker, () => undefined)
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

type Cursor = ReturnType<typeof openCursor>

function openCursor(stream: Readable) {
  const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  let at = 0
  async function next(most: number): Promise<Buffer> {
    if (rest.length === 0) {
      const { value, done } = await chunks.next()
      if (done) return Buffer.alloc(0)
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    at += piece.length
    return piece
  }
  async function* pieces(bytes: number) {
    for (let left = bytes; left > 0;) {
      const piece = await next(left)
      if (piece.length === 0) return
      left -= piece.length
      yield piece
    }
  }
  return {
    position: () => at,
    pieces,
    read: async (bytes: number) => {
      const found: Buffer[] = []
      for await (const piece of pieces(bytes)) found.push(piece)
      return Buffer.concat(found)
    },
    skip: async (bytes: number) => {
      let left = bytes
      while (left > 0) {
        const { length } = await next(left)
        if (length === 0) return
        left -= length
      }
    },
  }
}
