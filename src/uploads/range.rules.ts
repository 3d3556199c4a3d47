export type Range = { start: number; end: number }

/**
 * Parses a Range header for a file of `size` bytes: 'whole' without a header or for an unknown unit, 'invalid' (416) for
 * several ranges or one outside the file. Positions are inclusive.
 */
export function readRange(header: string | undefined, size: number): Range | 'whole' | 'invalid' {
  if (header === undefined || !header.startsWith('bytes=')) return 'whole'
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.replaceAll(' ', ''))
  if (!match || (match[1] === '' && match[2] === '')) return 'invalid'
  const [, from = '', to = ''] = match
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end || start >= size ? 'invalid' : { start, end }
}

/** A Content-Disposition header for any file name (RFC 6266). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
