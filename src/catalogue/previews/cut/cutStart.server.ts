import { MAX_SAMPLE_BYTES } from '../../../uploads/uploader.rules.ts'
import type { Cut } from './cut.rules.ts'
import { cutBook } from './cutBook.server.ts'
import { cutPdf } from './cutPdf.server.ts'
import { cutMp3, cutWav } from './cutSound.server.ts'

/** `head` is the start of the file, or all of it for a type that is cut as a whole. */
export type CutInput = { head: Uint8Array<ArrayBuffer>; sizeBytes: number; contentType: string }

const MB = 1024 * 1024
/** How much of a file a cut reads. The pages of a PDF and the chapters of a book are anywhere in the file. */
const MAX_READ: Record<string, { bytes: number; isWhole: boolean }> = {
  'application/pdf': { bytes: 50 * MB, isWhole: true },
  'application/epub+zip': { bytes: 50 * MB, isWhole: true },
  'audio/wav': { bytes: MAX_SAMPLE_BYTES, isWhole: false },
  'audio/mpeg': { bytes: MAX_SAMPLE_BYTES, isWhole: false },
}

/** Returns how many bytes of a file to read for a cut. Null if the shop cannot cut it. */
export function bytesToRead({ contentType, sizeBytes }: Omit<CutInput, 'head'>): number | null {
  const read = MAX_READ[contentType]
  if (!read || (read.isWhole && sizeBytes > read.bytes)) return null
  return Math.min(read.bytes, sizeBytes)
}

/** Cuts a sample from the start of a file. Null if the file is too short or the sample too large. May reject. */
export async function cutStart({ head, sizeBytes, contentType }: CutInput): Promise<Cut | null> {
  const sound = {
    head: Buffer.from(head.buffer, head.byteOffset, head.byteLength),
    sizeBytes,
    maxBytes: MAX_SAMPLE_BYTES - MB,
  }
  const cut = await cutOfType(contentType, head, sound)
  return cut && cut.bytes.length <= MAX_SAMPLE_BYTES ? cut : null
}

function cutOfType(
  contentType: string,
  head: Uint8Array,
  sound: Parameters<typeof cutWav>[0],
): Promise<Cut | null> | Cut | null {
  if (contentType === 'application/pdf') return cutPdf(head)
  if (contentType === 'application/epub+zip') return cutBook(head)
  if (contentType === 'audio/wav') return cutWav(sound)
  return contentType === 'audio/mpeg' ? cutMp3(sound) : null
}
