/** Decodes a file of a book: by its byte order mark, by its declared encoding, otherwise as UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  const declared = markOf(bytes) ?? declaredIn(bytes)
  const text = decode(bytes, declared ?? 'utf-8', declared === undefined) ?? decode(bytes, 'windows-1252')!
  return text.replace(/^\ufeff/, '')
}

function decode(bytes: Uint8Array, label: string, fatal = false): string | undefined {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    // the declared encoding is wrong, or the browser has no decoder for it
    return fatal ? undefined : new TextDecoder().decode(bytes)
  }
}

/** Detects a byte order mark, or UTF-16 without a mark: every second byte of '<?' is zero. */
function markOf([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) return 'utf-16le'
  return (a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0) ? 'utf-16be' : undefined
}

/** Ignores a declared UTF-16: if the declaration is readable as ASCII, the file is not UTF-16. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  const [, label] = /^\s*<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:-]{2,40})/.exec(head) ?? []
  const [, inHtml] = label ? [] : (/<meta[^>]{1,200}?charset\s*=\s*["']?([\w.:-]{2,40})/i.exec(head) ?? [])
  const found = (label ?? inHtml)?.toLowerCase()
  return found === undefined || /^(utf-?16|ucs-?2|utf-?8)/.test(found) ? undefined : found
}
