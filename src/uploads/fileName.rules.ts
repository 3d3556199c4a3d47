import { extensionOf } from './checks/claim.rules.ts'

// Makes file names from users safe to show, to store and to save on another machine.

const MAX_BYTES = 255
const encoder = new TextEncoder()

/** Removes folders and control characters and limits the name to 255 bytes. Null if nothing remains. */
export function cleanFileName(name: string): string | null {
  const last = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1)!
  const clean = shorten(last)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\uFFFD]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
  return clean === '' ? null : clean
}

export function readFileName(header: string | undefined): string | null {
  return cleanFileName(decode(header) ?? '')
}

/** Derives a file name from a title: 'Night Trains: Vol. 2' and 'flac' -> 'night-trains-vol-2.flac'. */
export function nameAfter(title: string, extension: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  return cleanFileName(`${slug || 'file'}.${extension}`) ?? `file.${extension}`
}

/** Limits the name to 255 bytes. Cuts the stem between two characters and preserves the extension. */
function shorten(name: string): string {
  if (encoder.encode(name).length <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  const stem = name.slice(0, name.length - extension.length)
  const room = MAX_BYTES - encoder.encode(extension).length
  return stem.slice(0, encoder.encodeInto(stem, new Uint8Array(room)).read).trimEnd() + extension
}

/** Reads the file name from the server's header (RFC 6266) or the end of the URL. */
export function nameOfLink(url: URL, disposition = ''): string {
  return cleanFileName(encoded(disposition) ?? quoted(disposition) ?? decode(url.pathname) ?? '') ?? url.hostname
}

const encoded = (disposition: string) => decode(/;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1])

function quoted(disposition: string): string | null {
  const [, inQuotes, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? []
  return inQuotes?.replace(/\\(.)/g, '$1') ?? bare ?? null
}

function decode(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Renames a file with its old extension: 'a.pdf' and 'Part 1' -> 'Part 1.pdf'. Null for another extension, because the
 * bytes were checked against the old one, and for an empty name.
 */
export function renameFile(before: string, name: string): string | null {
  const extension = extensionOf(before)
  const ending = extension && before.slice(-extension.length - 1)
  const hasEnding = ending !== '' && name.toLowerCase().endsWith(ending.toLowerCase())
  const stem = cleanFileName(hasEnding ? name.slice(0, -ending.length) : name)
  const after = stem && cleanFileName(stem + ending)
  return after && extensionOf(after) === extension ? after : null
}
