import { constants, inflateSync } from 'node:zlib'
import { decodePDFRawStream, PDFArray, PDFName, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib'

// Reads the names in the contents of a PDF. A content stream may unpack to much more than its size.

const MB = 1024 * 1024
const MAX_STREAM_BYTES = 16 * MB
const MAX_TOTAL_BYTES = 64 * MB

export type NamesIn = (content: PDFObject | undefined) => Set<PDFName>

/** Returns a function that reads the names in content streams. It throws for too many bytes and rare filters. */
export function openNames(): NamesIn {
  const present = new Map<PDFRawStream, Set<PDFName>>()
  let totalBytes = 0
  function namesOf(stream: PDFRawStream): Set<PDFName> {
    const known = present.get(stream)
    if (known) return known
    const content = decode(stream)
    totalBytes += content.length
    if (totalBytes > MAX_TOTAL_BYTES) throw new Error('the contents of the pages unpack to too many bytes')
    const names = new Set<PDFName>()
    for (const [, name = ''] of content.toString('latin1').matchAll(/\/([^\s/<>()[\]{}%]+)/g))
      names.add(PDFName.of(name))
    present.set(stream, names)
    return names
  }
  return function namesIn(content: PDFObject | undefined): Set<PDFName> {
    if (content instanceof PDFRawStream) return namesOf(content)
    const parts = content instanceof PDFArray ? content.asArray().map((_, i) => content.lookup(i)) : []
    return new Set(parts.flatMap((part) => [...namesIn(part instanceof PDFRawStream ? part : undefined)]))
  }
}

const nameOf = (name: string) => PDFName.of(name)
const TEXT_FILTERS = ['ASCII85Decode', 'ASCIIHexDecode'].map(nameOf)

function decode(stream: PDFRawStream): Buffer {
  const { dict } = stream
  const filter = dict.lookup(nameOf('Filter'))
  const filters = filter instanceof PDFArray ? filter.asArray().map((_, i) => filter.lookup(i)) : filter ? [filter] : []
  if (filters.length > 0 && dict.has(nameOf('DecodeParms'))) throw new Error('the content has a rare filter')
  let bytes: Uint8Array = stream.contents
  for (const one of filters) {
    if (bytes.length > MAX_STREAM_BYTES) break
    if (one === nameOf('FlateDecode'))
      // accepts a stream without its end, as readers do
      bytes = inflateSync(bytes, { maxOutputLength: MAX_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
    else if (one instanceof PDFName && TEXT_FILTERS.includes(one))
      bytes = decodePDFRawStream(PDFRawStream.of(dict.context.obj({ Filter: one }), bytes)).decode()
    else throw new Error('the content has a rare filter')
  }
  if (bytes.length > MAX_STREAM_BYTES) throw new Error('the content of a page has too many bytes')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
