// Reads the entries of a ZIP in memory. An untrusted book may declare wrong sizes, so this counts the bytes.

import { indexNames, readNames } from './names.rules.ts'

export type Entry = { offset: number; packedBytes: number; bytes: number; isPacked: boolean }
export type Archive = {
  find: (path: string) => Entry | undefined
  read: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>
}

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
/** Flag of an entry with a UTF-8 name. */
const UTF8 = 0x800
const MAX_ENTRIES = 20_000
const MAX_BYTES = 32 * 1024 * 1024
const SLOWEST_END = 65_557

export async function openZip(file: Blob): Promise<Archive> {
  const from = Math.max(0, file.size - SLOWEST_END)
  const tail = new DataView(await file.slice(from).arrayBuffer())
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== END) end--
  if (end < 0) throw new Error('not a ZIP')
  const count = Math.min(tail.getUint16(end + 10, true), MAX_ENTRIES)
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  const central = new DataView(await file.slice(start, start + size).arrayBuffer())
  const files: { names: ReturnType<typeof readNames>; file: Entry }[] = []
  let at = 0
  for (let i = 0; i < count && at + 46 <= central.byteLength && central.getUint32(at, true) === CENTRAL; i++) {
    const [name, extra, comment] = [28, 30, 32].map((place) => central.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ]
    const bytes = new Uint8Array(central.buffer, at + 46, Math.min(name, central.byteLength - at - 46))
    files.push({
      names: readNames(bytes, (central.getUint16(at + 8, true) & UTF8) !== 0),
      file: {
        offset: central.getUint32(at + 42, true),
        packedBytes: central.getUint32(at + 20, true),
        bytes: central.getUint32(at + 24, true),
        isPacked: central.getUint16(at + 10, true) === 8,
      },
    })
    at += 46 + name + extra + comment
  }
  const find = indexNames(files)
  return { find, read: (path) => readEntry(file, find(path)) }
}

async function readEntry(file: Blob, entry: Entry | undefined): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!entry) return null
  const head = new DataView(await file.slice(entry.offset, entry.offset + 30).arrayBuffer())
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw new Error('damaged ZIP')
  const start = entry.offset + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const packed = file.slice(start, start + entry.packedBytes).stream()
  return collect(entry.isPacked ? packed.pipeThrough(new DecompressionStream('deflate-raw')) : packed)
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    if (bytes > MAX_BYTES) {
      await reader.cancel()
      throw new Error('too large')
    }
    chunks.push(value)
  }
  const all = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
