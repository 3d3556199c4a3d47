import { MAX_SAMPLE_BYTES } from '../../../uploads/uploader.rules.ts'
import type { Cut } from './cut.rules.ts'
import { cutBook } from './cutBook.server.ts'
import { cutPdf } from './cutPdf.server.ts'
import { cutMp3, cutWav } from './cutSound.server.ts'

/** `head` is the start of the file, or all of it for a type that is cut as a whole. */
export type CutInput = { head: Uint8Array<ArrayBuffer>; sizeBytes: number; contentType: string }

/** What the head of a sound file may add to a sample. */
const ROOM = 1024 * 1024

/** Cuts a sample from the start of a file. Null if the file is too short or the sample too large. May reject. */
export async function cutStart({ head, sizeBytes, contentType }: CutInput): Promise<Cut | null> {
  const sound = {
    head: Buffer.from(head.buffer, head.byteOffset, head.byteLength),
    sizeBytes,
    maxBytes: MAX_SAMPLE_BYTES - ROOM,
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
