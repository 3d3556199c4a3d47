import type { CoursePart } from './learning.contract.ts'

type ProgressPart = Pick<CoursePart, 'id' | 'isSection' | 'opensAt' | 'isDone'> & { openedAt: Date | null }

export const lessonsOf = <P extends Pick<CoursePart, 'isSection'>>(parts: P[]): P[] =>
  parts.filter(({ isSection }) => !isSection)

/** Returns the lesson to resume: the last opened one, or the next that is open and not done, otherwise any left. */
export function resumeAt(parts: ProgressPart[]): string | null {
  const open = lessonsOf(parts).filter(({ opensAt }) => opensAt === null)
  const last = open.reduce<ProgressPart | null>(
    (newest, one) => (one.openedAt && (!newest?.openedAt || one.openedAt > newest.openedAt) ? one : newest),
    null,
  )
  const from = last ? open.indexOf(last) : 0
  const left = [...open.slice(from), ...open.slice(0, from)]
  return (left.find(({ isDone }) => !isDone) ?? last ?? open[0])?.id ?? null
}

export const isComplete = (parts: Pick<CoursePart, 'isSection' | 'isDone'>[]): boolean => {
  const lessons = lessonsOf(parts)
  return lessons.length > 0 && lessons.every(({ isDone }) => isDone)
}

/** Returns the lesson after `lesson`. Returns undefined if it is the last one, or if the next one is not open yet. */
export function nextOpen<P extends Pick<CoursePart, 'opensAt'>>(lessons: P[], lesson: P): P | undefined {
  const next = lessons[lessons.indexOf(lesson) + 1]
  return next?.opensAt === null ? next : undefined
}
