import { inflateRawSync } from 'node:zlib'

// Reads the directory of a ZIP archive. The archive is never unpacked; only one small entry at a time is.

/** Reads `length` bytes of a file, or fewer at its end. */
export type ReadBytes = (start: number, length: number) => Promise<Buffer>

/** `unpackedBytes` is what the directory claims; 4 GB or more counts as 4 GB. */
export type ZipEntry = { name: string; method: number; packedBytes: number; unpackedBytes: number; offset: number }

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
/** The end record with the longest comment. */
const LONGEST_END = 22 + 65_535
const LONGEST_DIRECTORY = 16 * 1024 * 1024
const NOT_HERE = 0xffffffff

/** The entries of an archive; null if its directory does not fit its bytes. */
export async function readZip(read: ReadBytes, sizeBytes: number): Promise<ZipEntry[] | null> {
  const found = await findDirectory(read, sizeBytes)
  if (!found || found.length > LONGEST_DIRECTORY || found.offset + found.length > sizeBytes) return null
  const bytes = await read(found.offset, found.length)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < found.count;) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) return null
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const packedBytes = bytes.readUInt32LE(at + 20)
    const unpackedBytes = bytes.readUInt32LE(at + 24)
    const offset = bytes.readUInt32LE(at + 42)
    // an entry of more than 4 GB has its place in another field
    if (offset !== NOT_HERE && packedBytes !== NOT_HERE && offset + 30 + packedBytes > found.offset) return null
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes)
    entries.push({ name, method: bytes.readUInt16LE(at + 10), packedBytes, unpackedBytes, offset })
    at += 46 + nameBytes + extraBytes + commentBytes
  }
  const [first] = entries
  if (!first) return entries
  if (first.offset === NOT_HERE) return entries
  const start = await read(first.offset, 4)
  return start.length === 4 && start.readUInt32LE(0) === LOCAL ? entries : null
}

async function findDirectory(read: ReadBytes, sizeBytes: number) {
  const from = Math.max(0, sizeBytes - LONGEST_END)
  const tail = await read(from, sizeBytes - from)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue
    const count = tail.readUInt16LE(at + 10)
    const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
    if (count !== 0xffff && length !== NOT_HERE && offset !== NOT_HERE) return { count, length, offset }
    if (at < 20 || tail.readUInt32LE(at - 20) !== LOCATOR_64) return null
    const record = await read(Number(tail.readBigUInt64LE(at - 12)), 56)
    if (record.length < 56 || record.readUInt32LE(0) !== END_64) return null
    const [count64, length64, offset64] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)))
    return { count: count64!, length: length64!, offset: offset64! }
  }
  return null
}

/** The content of an entry; null if it is packed in another way or larger than `mostBytes`. */
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
