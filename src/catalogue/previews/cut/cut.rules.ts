import { MAX_SAMPLE_BYTES } from '../../../uploads/uploader.rules.ts'

// How much of a file a sample shows. A sample is never the whole file.

/** `shown` of `whole` pages, chapters or seconds. `percent` of the file's content, which counts the text of a book. */
export type Cut = { bytes: Uint8Array; shown: number; whole: number; percent: number }

export const percentOf = (part: number, whole: number): number => Math.max(1, Math.round((part / whole) * 100))

const MAX_PAGES = 12
export const MAX_SECONDS = 60
/** Shares of the text of a book. A sample ends after the chapter that reaches the first one. */
const [ENOUGH, TOO_MUCH] = [0.1, 0.4]
/** A smaller share is a cover or a title page only. */
const TOO_LITTLE = 0.01

/** A fifth of the pages. Null for a single page. */
export const pagesOf = (whole: number): number | null =>
  whole < 2 ? null : Math.min(MAX_PAGES, Math.max(1, Math.floor(whole / 5)))

/** Half of the recording, at most a minute. Null for less than two seconds. */
export const secondsOf = (whole: number): number | null =>
  whole < 2 ? null : Math.min(MAX_SECONDS, Math.floor(whole / 2))

/** The number of chapters from the start, given the length of each. Null if the first chapters are too long or empty. */
export function chaptersOf(lengths: number[]): number | null {
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let [count, shown] = [0, 0]
  for (const length of lengths) {
    if (shown >= total * ENOUGH || shown + length > total * TOO_MUCH) break
    shown += length
    count++
  }
  return shown > total * TOO_LITTLE ? count : null
}

const CUTS: Record<string, string> = {
  pdf: 'the first pages',
  epub: 'the first chapters',
  wav: 'the first minute',
  mp3: 'the first minute',
}

/** What a sample of this file would be: 'the first pages'. Null for a file that the shop cannot cut. */
export const cutOf = (fileName: string): string | null =>
  CUTS[/\.(\w{3,4})$/.exec(fileName)?.[1]?.toLowerCase() ?? ''] ?? null

const MB = 1024 * 1024
/** How much of a file a cut reads. The pages of a PDF and the chapters of a book are anywhere in the file. */
const MAX_READ: Record<string, { bytes: number; isWhole: boolean }> = {
  'application/pdf': { bytes: 50 * MB, isWhole: true },
  'application/epub+zip': { bytes: 50 * MB, isWhole: true },
  'audio/wav': { bytes: MAX_SAMPLE_BYTES, isWhole: false },
  'audio/mpeg': { bytes: MAX_SAMPLE_BYTES, isWhole: false },
}

/** Returns how many bytes of a file to read for a cut. Null if the shop cannot cut it. */
export function bytesToRead({ contentType, sizeBytes }: { contentType: string; sizeBytes: number }): number | null {
  const read = MAX_READ[contentType]
  if (!read || (read.isWhole && sizeBytes > read.bytes)) return null
  return Math.min(read.bytes, sizeBytes)
}
