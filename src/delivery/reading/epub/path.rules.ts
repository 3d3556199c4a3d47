/** Resolves a reference in a file of the book to a path without its fragment. Null if it leads out of the book. */
export function resolvePath(from: string, reference: string): string | null {
  const [path = ''] = reference.split('#')
  if (path === '') return from
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return null
  const folders = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of decoded(path).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') folders.push(part)
    else if (folders.pop() === undefined) return null
  }
  return folders.join('/')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export const fragmentOf = (reference: string): string => reference.split('#')[1] ?? ''

const PLACE = /^(\d{1,5})\/(0(?:\.\d{1,4})?|1)$/

/** Formats a place in a book: '3/0.42' is 42 % of the fourth chapter. */
export const writePlace = (chapter: number, share: number): string =>
  `${chapter}/${Number(Math.min(1, Math.max(0, share)).toFixed(4))}`

export function readPlace(place: string | null, chapters: number): { chapter: number; share: number } {
  const [, chapter = '0', share = '0'] = PLACE.exec(place ?? '') ?? []
  const found = Number(chapter)
  return found < chapters ? { chapter: found, share: Number(share) } : { chapter: 0, share: 0 }
}

export function shareOf(lengths: number[], chapter: number, share: number): number {
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const before = lengths.slice(0, chapter).reduce((sum, length) => sum + length, 0)
  return total === 0 ? 0 : Math.min(1, (before + share * (lengths[chapter] ?? 0)) / total)
}
