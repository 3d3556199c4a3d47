import type { Sniffed } from './sniff.rules.ts'

/** Returns the extension in lower case: 'Book.PDF' -> 'pdf'. Empty without one. */
export const extensionOf = (fileName: string): string => /\.(\w{1,12})$/.exec(fileName)?.[1]?.toLowerCase() ?? ''

type Kind = { name: string; types: string[] }
const kind = (name: string, ...types: string[]): Kind => ({ name, types })
const ZIP = ['application/zip', 'application/epub+zip']
const MP4 = ['audio/mp4', 'video/mp4']

/** The allowed content types of an extension. The bytes of other extensions are not checked. */
const KINDS: Record<string, Kind> = {
  pdf: kind('a PDF', 'application/pdf'),
  epub: kind('an EPUB', 'application/epub+zip'),
  zip: kind('a ZIP archive', ...ZIP),
  cbz: kind('a comic archive', ...ZIP),
  docx: kind('a Word document', ...ZIP),
  xlsx: kind('an Excel workbook', ...ZIP),
  pptx: kind('a PowerPoint presentation', ...ZIP),
  png: kind('a PNG image', 'image/png'),
  jpg: kind('a JPEG image', 'image/jpeg'),
  jpeg: kind('a JPEG image', 'image/jpeg'),
  gif: kind('a GIF image', 'image/gif'),
  webp: kind('a WebP image', 'image/webp'),
  mp3: kind('an MP3', 'audio/mpeg'),
  wav: kind('a WAV recording', 'audio/wav'),
  flac: kind('a FLAC recording', 'audio/flac'),
  ogg: kind('an Ogg recording', 'audio/ogg'),
  m4a: kind('an M4A recording', ...MP4),
  m4b: kind('an M4B audiobook', ...MP4),
  mp4: kind('an MP4', ...MP4),
  txt: kind('a text', 'text/plain', 'application/octet-stream'),
  md: kind('a text', 'text/plain', 'application/octet-stream'),
  csv: kind('a table', 'text/plain', 'application/octet-stream'),
}

/** Archives recognised only by their first bytes. */
const SIGNED: Record<string, [name: string, start: string]> = {
  rar: ['a RAR archive', 'Rar!\x1a\x07'],
  '7z': ['a 7z archive', '7z\xbc\xaf\x27\x1c'],
  gz: ['a GZIP archive', '\x1f\x8b'],
}

const startsWith = (head: Uint8Array, text: string) =>
  head.length >= text.length && [...text].every((char, i) => head[i] === char.charCodeAt(0))

export function claimProblem(extension: string, sniffed: Sniffed, head: Uint8Array): string | null {
  const signed = SIGNED[extension]
  if (signed) return startsWith(head, signed[1]) ? null : `isn’t ${signed[0]}. ${meantBy(sniffed, head)}`
  const claimed = KINDS[extension]
  if (!claimed) return null
  // every MP4 starts with this box, followed by any brand
  const isMp4 = claimed.types.includes('video/mp4') && startsWith(head.subarray(4), 'ftyp')
  const isRight = claimed.types.includes(sniffed.contentType) && !isProgramBytes(head, sniffed)
  return isRight || isMp4 ? null : `isn’t ${claimed.name}. ${meantBy(sniffed, head)}`
}

function meantBy(sniffed: Sniffed, head: Uint8Array): string {
  if (isProgramBytes(head, sniffed)) return 'It’s a program.'
  if (sniffed.extension === 'bin') return 'We don’t know what it is.'
  return `It looks like ${KINDS[sniffed.extension]?.name ?? `a file of type ${sniffed.extension.toUpperCase()}`}.`
}

// programs of Windows, Linux and macOS in both byte orders, Java and universal binaries, Windows shortcuts
const PROGRAM_STARTS = [
  ...['MZ', '\x7fELF', '\xfe\xed\xfa\xce', '\xfe\xed\xfa\xcf', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe'],
  ...['\xca\xfe\xba\xbe', 'L\0\0\0\x01\x14\x02\0'],
]

// a text may start with 'MZ', the first letters of a Windows program
const TEXT_STARTS = ['#!/', '\x7fELF']

export const isProgramBytes = (head: Uint8Array, { extension }: Sniffed): boolean =>
  (extension === 'txt' ? TEXT_STARTS : PROGRAM_STARTS).some((start) => startsWith(head, start))

/** Names that run when they are opened, also within an archive. */
export const isProgramName = (name: string): boolean =>
  /\.(exe|msi|bat|cmd|scr|pif|ps1|vbs|hta|lnk|jar|apk|dmg|deb|rpm|appimage)$/i.test(name)
