import { crc32 } from 'node:zlib'

/** Midnight of 1 January 1980, the first moment a ZIP can tell: the same bytes whenever they are written. */
const DOS_DATE = 0x0021
const UTF8_NAMES = 0x0800

/** A ZIP of these files, by path and in this order. Nothing is compressed: the files are small and the bytes never vary. */
export function zip(files: [path: string, content: string | Buffer][]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of files) {
    const name = Buffer.from(path)
    const data = Buffer.from(content)
    const facts = factsOf(data, name)
    const local = Buffer.concat([hex('504b0304'), facts, name, data])
    const central = Buffer.alloc(14)
    central.writeUInt32LE(0o100644 * 2 ** 16, 6)
    central.writeUInt32LE(offset, 10)
    // "made by" says Unix, so that the file rights above are read.
    directory.push(Buffer.concat([hex('504b01021403'), facts, central, name]))
    parts.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(18)
  const directoryBytes = Buffer.concat(directory)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directoryBytes.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directoryBytes, hex('504b0506'), end])
}

/** The 26 bytes that a file's own header and its line in the directory share. */
function factsOf(data: Buffer, name: Buffer) {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(UTF8_NAMES, 2)
  facts.writeUInt16LE(DOS_DATE, 8)
  facts.writeUInt32LE(crc32(data), 10)
  facts.writeUInt32LE(data.length, 14)
  facts.writeUInt32LE(data.length, 18)
  facts.writeUInt16LE(name.length, 22)
  return facts
}

const hex = (bytes: string) => Buffer.from(bytes, 'hex')
