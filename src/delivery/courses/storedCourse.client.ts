import { call } from '../../kit/call.client.ts'
import { coursePath, keptCacheOf } from '../library/kept.rules.ts'
import { isAnswer, openStored, readJson } from '../reading/stored.client.ts'
import {
  getCourse,
  getLesson,
  listLessons,
  type LessonText,
  type TakenCourse,
  type TakenLesson,
} from './learning.contract.ts'

// Stores course texts on this device. Audio, video and files of lessons need a connection.

/** `storedAt` is in milliseconds. */
type StoredCourse = { course: TakenCourse; lessons: LessonText[]; storedAt: number }

export async function storeCourse(userId: string, lineId: string) {
  const name = keptCacheOf(userId)
  const cache = await caches.open(name)
  const [course, lessons] = await Promise.all([call(getCourse, { id: lineId }), call(listLessons, { id: lineId })])
  // the member may have signed out meanwhile
  if (!(await caches.has(name))) throw new Error('the session has ended')
  const stored: StoredCourse = { course, lessons, storedAt: Date.now() }
  await cache.put(coursePath(lineId), Response.json(stored))
}

const RENEW_AFTER_MS = 3600_000

/** Lessons open and change later, so an old copy is replaced. */
export const isOld = ({ storedAt }: Pick<StoredCourse, 'storedAt'>): boolean => Date.now() - storedAt > RENEW_AFTER_MS

export async function dropCourse(lineId: string) {
  await (await openStored())?.delete(coursePath(lineId))
}

export async function findCourse(lineId: string): Promise<StoredCourse | null> {
  const cache = await openStored()
  return (cache && (await readJson<StoredCourse>(cache, coursePath(lineId)))) ?? null
}

/** Reads from the server. Without a connection, returns the copy on this device. */
async function readOr<T>(read: Promise<T>, lineId: string, find: (stored: StoredCourse) => T | undefined): Promise<T> {
  try {
    return await read
  } catch (error) {
    const stored = isAnswer(error) ? null : await findCourse(lineId)
    const found = stored && find(stored)
    if (!found) throw error
    return found
  }
}

export const readCourse = (lineId: string): Promise<TakenCourse> =>
  readOr(call(getCourse, { id: lineId }), lineId, ({ course }) => course)

export const readLesson = (lineId: string, lessonId: string): Promise<TakenLesson> =>
  readOr(call(getLesson, { id: lineId, lessonId }), lineId, ({ lessons }) => {
    const lesson = lessons.find(({ id }) => id === lessonId)
    return lesson && { ...lesson, files: [] }
  })
