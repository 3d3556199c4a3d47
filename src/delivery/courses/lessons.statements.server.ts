// Made by `npm run tables` from lessons.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('lessons.sql', import.meta.url))

export type FindTakenInput = { userId: string; lineId: string }
export type FindTakenRow = {
  orderId: string
  productId: string
  title: string
  categoryId: string
  boughtAt: Date
  imageUrl: string | null
  seller: string
}
export const findTaken = find<FindTakenInput, FindTakenRow>('findTaken')

export type ReadPartsInput = { boughtAt: Date | string; lineId: string | null; userId: string; productId: string }
export type ReadPartsRow = {
  id: string
  isSection: boolean
  title: string
  look: import('./learning.contract.ts').LessonLook
  minutes: number
  opensAt: string | null
  isDone: boolean
  openedAt: Date | null
}
// Without a line, the parts as a buyer of this moment sees them.
export const readParts = find<ReadPartsInput, ReadPartsRow>('readParts')

export type FindLessonInput = { boughtAt: Date | string; lessonId: string; productId: string }
export type FindLessonRow = { id: string; title: string; text: string; isLocked: boolean }
export const findLesson = find<FindLessonInput, FindLessonRow>('findLesson')

export type ReadOpenLessonsInput = { productId: string; boughtAt: Date | string }
export type ReadOpenLessonsRow = { id: string; title: string; text: string }
export const readOpenLessons = find<ReadOpenLessonsInput, ReadOpenLessonsRow>('readOpenLessons')

export type ReadPreviewsInput = { productId: string }
export type ReadPreviewsRow = {
  id: string
  isSection: boolean
  title: string
  look: import('./learning.contract.ts').LessonLook
  opensAfterDays: number | null
  opensOn: string | null
  text: string | null
}
export const readPreviews = find<ReadPreviewsInput, ReadPreviewsRow>('readPreviews')

export type ReadOutlineInput = { productId: string }
export type ReadOutlineRow = {
  id: string
  isSection: boolean
  title: string
  opensOn: string | null
  opensAfterDays: number | null
  isPreview: boolean
  types: string[]
  seconds: number | null
  minutes: number
}
export const readOutline = find<ReadOutlineInput, ReadOutlineRow>('readOutline')

export type FindOwnCourseInput = { productId: string; sellerId: string }
export type FindOwnCourseRow = {
  productId: string
  title: string
  categoryId: string
  imageUrl: string | null
  seller: string
}
export const findOwnCourse = find<FindOwnCourseInput, FindOwnCourseRow>('findOwnCourse')

export type FindOwnFileInput = { fileId: string; productId: string; sellerId: string }
export type FindOwnFileRow = { key: string; fileName: string; contentType: string; sizeBytes: number; sha256: string }
export const findOwnFile = find<FindOwnFileInput, FindOwnFileRow>('findOwnFile')

export type SetSecondsInput = { seconds: number; fileId: string; productId: string; sellerId: string }
export type SetSecondsRow = { fileId: string }
export const setSeconds = find<SetSecondsInput, SetSecondsRow>('setSeconds')

export type SetPositionsInput = { ids: string[] }
export type SetPositionsRow = Record<string, never>
export const setPositions = find<SetPositionsInput, SetPositionsRow>('setPositions')

export type FindSoldLessonInput = { partId: string; productId: string }
export type FindSoldLessonRow = { id: string }
// Finds a lesson with content that buyers own.
export const findSoldLesson = find<FindSoldLessonInput, FindSoldLessonRow>('findSoldLesson')
