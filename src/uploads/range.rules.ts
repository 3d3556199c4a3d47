export type Range = { start: number; end: number }

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110). Returns 'whole' without a header, for an unknown unit,
 * several ranges or a malformed one, and 'invalid' (416) outside the file. Positions are inclusive.
 */
export function readRange(header: string | undefined, size: number): Range | 'whole' | 'invalid' {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  const [first, last] = [from, to].map(Number) as [number, number]
  if (from !== '' && to !== '' && last < first) return 'whole'
  const start = from === '' ? Math.max(0, size - last) : first
  const end = from === '' || to === '' ? size - 1 : Math.min(last, size - 1)
  return start >= size ? 'invalid' : { start, end }
}

/** Builds a Content-Disposition header for any file name (RFC 6266). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`
}
