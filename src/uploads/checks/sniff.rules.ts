// Recognises file types by their first bytes, because type and name from the browser can be false.

export type Sniffed = { contentType: string; extension: string }

export const SNIFFED_BYTES = 64 * 1024

const at = (bytes: Uint8Array, start: number, text: string) =>
  [...text].every((char, i) => bytes[start + i] === char.charCodeAt(0))

const within = (bytes: Uint8Array, text: string) => bytes.some((_, i) => at(bytes, i, text))

type Rule = Sniffed & { is: (bytes: Uint8Array) => boolean }
const rule = (contentType: string, extension: string, is: Rule['is']): Rule => ({ contentType, extension, is })
const brand =
  (...names: string[]) =>
  (bytes: Uint8Array) =>
    at(bytes, 4, 'ftyp') && names.some((name) => at(bytes, 8, name))

// the first match wins, so narrow rules precede wide ones
const RULES: Rule[] = [
  rule('image/png', 'png', (b) => at(b, 0, '\x89PNG\r\n\x1a\n')),
  rule('image/jpeg', 'jpg', (b) => at(b, 0, '\xff\xd8\xff')),
  rule('image/gif', 'gif', (b) => at(b, 0, 'GIF87a') || at(b, 0, 'GIF89a')),
  rule('image/webp', 'webp', (b) => at(b, 0, 'RIFF') && at(b, 8, 'WEBP')),
  rule('image/avif', 'avif', brand('avif', 'avis')),
  rule('application/pdf', 'pdf', (b) => at(b, 0, '%PDF-')),
  rule('application/epub+zip', 'epub', (b) => at(b, 0, 'PK\x03\x04') && at(b, 30, 'mimetypeapplication/epub+zip')),
  rule('application/zip', 'zip', (b) => at(b, 0, 'PK\x03\x04') || at(b, 0, 'PK\x05\x06')),
  rule('application/gzip', 'gz', (b) => at(b, 0, '\x1f\x8b\x08')),
  rule('audio/wav', 'wav', (b) => at(b, 0, 'RIFF') && at(b, 8, 'WAVE')),
  rule('audio/ogg', 'ogg', (b) => at(b, 0, 'OggS')),
  rule('audio/flac', 'flac', (b) => at(b, 0, 'fLaC')),
  rule('audio/mp4', 'm4a', brand('M4A ', 'M4B ')),
  rule('video/mp4', 'mp4', brand('isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'M4V ', 'dash')),
  // browsers record Matroska; its header contains 'webm'
  rule('video/webm', 'webm', (b) => at(b, 0, '\x1aE\xdf\xa3') && within(b.subarray(0, 64), 'webm')),
  // an ID3 tag, or the sync word of an MPEG layer III frame
  rule('audio/mpeg', 'mp3', (b) => at(b, 0, 'ID3') || (b[0] === 0xff && [0xfa, 0xf2, 0xe2].includes(b[1]! & 0xfe))),
]

/** Detects the type from `head`, the start of the file. `isWhole`: the file has no more bytes. */
export function sniff(head: Uint8Array, isWhole = false): Sniffed {
  const found = RULES.find((candidate) => candidate.is(head))
  if (found) return { contentType: found.contentType, extension: found.extension }
  if (isText(head, isWhole)) return { contentType: 'text/plain', extension: 'txt' }
  return { contentType: 'application/octet-stream', extension: 'bin' }
}

function isText(head: Uint8Array, isWhole: boolean): boolean {
  if (head.length === 0 || head.includes(0)) return false
  try {
    // stream mode accepts an incomplete last character
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
