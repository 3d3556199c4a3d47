// A chapter on a phone flows in columns, one for each screen.

export type Flow = {
  /** Distance between the starts of two pages, in CSS pixels. */
  pitch: number
  count: number
  page: number
}

type Columns = { width: number; gap: number; scrollWidth: number; scrollLeft: number }

/** `scrollLeft` is negative in a text from right to left. */
export function readPages({ width, gap, scrollWidth, scrollLeft }: Columns): Flow {
  const pitch = width + gap
  const count = pitch > 0 ? Math.max(1, Math.round((scrollWidth + gap) / pitch)) : 1
  const page = pitch > 0 ? Math.round(Math.abs(scrollLeft) / pitch) : 0
  return { pitch, count, page: Math.min(count - 1, page) }
}

/** The last page is the end of the chapter. A single page is both start and end, so it has the share `otherwise`. */
export const shareOfPage = (page: number, count: number, otherwise: number): number =>
  count > 1 ? page / (count - 1) : otherwise

export const pageAtShare = (share: number, count: number): number => Math.round(share * (count - 1))

/** `offset` is the distance of an element from the start of the chapter. */
export const pageAtOffset = (offset: number, { pitch, count }: Flow): number =>
  Math.min(count - 1, Math.max(0, Math.floor(offset / pitch)))
