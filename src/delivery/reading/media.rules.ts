export type Chapter = { at: number; title: string }

const LINE = /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:\.\d+)?\s*(?:[-–:]\s*)?(\S[\s\S]*)/

export function readChapters(text: string): Chapter[] {
  const found = text.split('\n').flatMap((line): Chapter[] => {
    const [, hours = '0', minutes, seconds, title] = LINE.exec(line) ?? []
    if (minutes === undefined || seconds === undefined || Number(seconds) > 59) return []
    return [{ at: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds), title: title!.trim() }]
  })
  return found.toSorted((a, b) => a.at - b.at)
}

export const wrongChapter = (text: string): string | null =>
  text.split('\n').find((line) => line.trim() !== '' && readChapters(line).length === 0) ?? null

export const chapterAt = (chapters: Chapter[], seconds: number): number =>
  chapters.findLastIndex(({ at }) => at <= seconds)

/** Formats '3:12' or '1:05:30'. */
export function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

export function nameTime(seconds: number): string {
  const [s = 0, m = 0, h = 0] = formatTime(seconds).split(':').toReversed().map(Number)
  const part = (count: number, word: string) => (count > 0 ? [`${count} ${word}${count === 1 ? '' : 's'}`] : [])
  return [...part(h, 'hour'), ...part(m, 'minute'), ...part(s, 'second')].join(' ') || '0 seconds'
}

export const SPEEDS = [0.75, 1, 1.25, 1.5, 2]
/** Seconds that the buttons and keys of a player skip. */
export const SKIP = 15

const PLAYS = /^(audio|video)\//
export const plays = (contentType: string): boolean => PLAYS.test(contentType)

export const isBook = (contentType: string): boolean =>
  contentType === 'application/pdf' || contentType === 'application/epub+zip'

export const opens = (contentType: string): boolean => plays(contentType) || isBook(contentType)
