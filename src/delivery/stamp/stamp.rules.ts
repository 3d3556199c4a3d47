/** A larger PDF is delivered unstamped, because stamping holds all of it in memory. */
export const MAX_STAMPED_BYTES = 50 * 1024 * 1024

export const MAX_PAGES = 10_000

type File = { contentType: string; sizeBytes: number }
export const canStamp = ({ contentType, sizeBytes }: File) =>
  contentType === 'application/pdf' && sizeBytes <= MAX_STAMPED_BYTES

/** Text on each page. The stamp's font has the printable characters of Latin-1 only. */
export const stampOf = (email: string) => `Copy of ${email.replace(/[^\x20-\x7e\xa0-\xff]/gu, '?')}`

export type Box = { x: number; y: number; width: number; height: number }
export const STAMP_SIZE = 7
const MARGIN = 14

/** Start of the text in points: the visible bottom left of a page rotated by `angle` degrees. */
export function placeStamp({ x, y, width, height }: Box, angle: number): { x: number; y: number; angle: number } {
  const turned = (((Math.round(angle / 90) * 90) % 360) + 360) % 360
  const isRight = turned === 90 || turned === 180
  const isTop = turned === 180 || turned === 270
  return {
    x: isRight ? x + width - MARGIN : x + MARGIN,
    y: isTop ? y + height - MARGIN : y + MARGIN,
    angle: turned,
  }
}
