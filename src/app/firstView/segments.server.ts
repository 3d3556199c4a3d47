import { constants, crc32, deflateRawSync } from 'node:zlib'
import { own } from '../../kit/serve/cache.server.ts'

// A page consists of shared parts and of values of one member. Shared parts are compressed once and joined with the
// values for each request. Blocks of a deflate stream can be joined if each ends at a byte boundary.

export type Part = { plain: Buffer; packed: Buffer } | { value: string }
export type Segments = Part[]

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const LAST_BLOCK = Buffer.from([3, 0])
/** Below this size, compression costs more time than it saves. An uncompressed block holds 65,535 bytes. */
const WORTH_PACKING = 8192

const pack = (plain: Buffer, level: number) => deflateRawSync(plain, { level, finishFlush: constants.Z_SYNC_FLUSH })

export function partOf(text: string, level = 9): Part {
  const plain = own(Buffer.from(text))
  return { plain, packed: own(pack(plain, level)) }
}

/** Splits a text at `slot`, whose first group is the name of a value. */
export const cutAt = (text: string, slot: RegExp, level = 9): Segments =>
  text.split(slot).map((piece, i) => (i % 2 === 1 ? { value: piece } : partOf(piece, level)))

export const bytesOf = (segments: Segments) =>
  segments.reduce((sum, part) => sum + ('value' in part ? 0 : part.plain.length + part.packed.length), 0)

function store(plain: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt16LE(plain.length, 1)
  header.writeUInt16LE(~plain.length & 0xffff, 3)
  return Buffer.concat([header, plain])
}

export function join(segments: Segments, values: Record<string, string>, isGzip: boolean): Buffer {
  const parts = segments.map((part) => ('value' in part ? Buffer.from(values[part.value] ?? '') : part))
  const plains = parts.map((part) => (Buffer.isBuffer(part) ? part : part.plain))
  if (!isGzip) return Buffer.concat(plains)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(plains.reduce((sum, plain) => crc32(plain, sum), 0))
  trailer.writeUInt32LE(
    plains.reduce((sum, { length }) => sum + length, 0),
    4,
  )
  const packed = parts.map((part) => {
    if (!Buffer.isBuffer(part)) return part.packed
    return part.length < WORTH_PACKING ? store(part) : pack(part, 1)
  })
  return Buffer.concat([HEADER, ...packed, LAST_BLOCK, trailer])
}
