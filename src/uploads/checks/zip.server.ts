import { inflateRawSync } from 'node:zlib'

// Reads the directory of a ZIP archive. Unpacks at most single small entries.

export type ReadBytes = (start: number, length: number) => Promise<Buffer>

/** `unpackedBytes` is the size in the directory, which can be false. */
export type ZipEntry = { name: string; method: number; packedBytes: number; unpackedBytes: number; offset: number }

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const CENTRAL = 0x02014b50
export const LOCAL = 0x04034b50
const EXTRA_64 = 1
/** Length of the end record with the longest comment. */
const MAX_END_LENGTH = 22 + 65_535
const MAX_DIRECTORY_LENGTH = 16 * 1024 * 1024
const NOT_HERE = 0xffffffff

export async function readZip(read: ReadBytes, sizeBytes: number): Promise<ZipEntry[] | null> {
  const found = await findDirectory(read, sizeBytes)
  if (!found || found.length > MAX_DIRECTORY_LENGTH || found.offset + found.length > sizeBytes) return null
  const bytes = await read(found.offset, found.length)
  const entries: ZipEntry[] = []
  // some programs read entries beyond the count, so the entries must fill the directory
  for (let at = 0; at < bytes.length;) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) return null
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const [nameEnd, extraEnd] = [at + 46 + nameBytes, at + 46 + nameBytes + extraBytes]
    const [unpackedBytes, packedBytes, offset] = widen(
      [24, 20, 42].map((field) => bytes.readUInt32LE(at + field)),
      bytes.subarray(nameEnd, extraEnd),
    ) as [number, number, number]
    if (offset + 30 + packedBytes > found.offset) return null
    const name = bytes.toString('utf8', at + 46, nameEnd)
    entries.push({ name, method: bytes.readUInt16LE(at + 10), packedBytes, unpackedBytes, offset })
    at = extraEnd + commentBytes
    if (at > bytes.length) return null
  }
  // programs without ZIP64 count entries modulo 65,536
  if (entries.length % 0x10000 !== found.count % 0x10000) return null
  const [first] = entries
  if (!first) return entries
  const start = await read(first.offset, 4)
  return start.length === 4 && start.readUInt32LE(0) === LOCAL ? entries : null
}

/** Replaces numbers above four bytes by those in the ZIP64 extra field, in order. */
function widen(numbers: number[], extra: Buffer): number[] {
  let wide: Buffer = Buffer.alloc(0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === EXTRA_64) wide = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  return numbers.map((number) => {
    if (number !== NOT_HERE || wide.length < 8) return number
    const whole = Number(wide.readBigUInt64LE(0))
    wide = wide.subarray(8)
    return whole
  })
}

async function findDirectory(read: ReadBytes, sizeBytes: number) {
  const from = Math.max(0, sizeBytes - MAX_END_LENGTH)
  const tail = await read(from, sizeBytes - from)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue
    const count = tail.readUInt16LE(at + 10)
    const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    if (count !== 0xffff && length !== NOT_HERE && offset !== NOT_HERE) return { count, length, offset }
    if (at < 20 || tail.readUInt32LE(at - 20) !== LOCATOR_64) return null
    const record = await read(Number(tail.readBigUInt64LE(at - 12)), 56)
    if (record.length < 56 || record.readUInt32LE(0) !== END_64) return null
    const field = (at: number) => Number(record.readBigUInt64LE(at))
    return { count: field(32), length: field(40), offset: field(48) }
  }
  return null
}

/** Reads an entry. Null for an unknown compression method or more than `mostBytes`. */
export async function readEntry(read: ReadBytes, entry: ZipEntry, mostBytes: number): Promise<Buffer | null> {
  if (entry.packedBytes > mostBytes || (entry.method !== 0 && entry.method !== 8)) return null
  const head = await read(entry.offset, 30)
  if (head.length < 30 || head.readUInt32LE(0) !== LOCAL) return null
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const packed = await read(start, entry.packedBytes)
  if (entry.method === 0) return packed
  try {
    return inflateRawSync(packed, { maxOutputLength: mostBytes })
  } catch {
    return null
  }
}
