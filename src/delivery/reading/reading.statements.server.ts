// Made by `npm run tables` from reading.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('reading.sql', import.meta.url))

export type ReadLineInput = { userId: string; lineId: string }
export type ReadLineRow = {
  orderId: string
  productId: string
  title: string
  categoryId: string
  imageUrl: string | null
  fileIds: string[]
  seller: string
}
export const readLine = find<ReadLineInput, ReadLineRow>('readLine')

export type ReadFilesInput = { fileIds: string[]; lineId: string; userId: string }
export type ReadFilesRow = {
  id: string
  fileName: string
  contentType: string
  sizeBytes: number
  chapters: string
  place: string | null
  share: number
}
export const readFiles = find<ReadFilesInput, ReadFilesRow>('readFiles')

export type ReadLessonFilesInput = { lineId: string; userId: string; lessonId: string }
export type ReadLessonFilesRow = {
  id: string
  fileName: string
  contentType: string
  sizeBytes: number
  chapters: string
  place: string | null
  share: number
}
export const readLessonFiles = find<ReadLessonFilesInput, ReadLessonFilesRow>('readLessonFiles')

export type SavePlaceInput = {
  lineId: string
  userId: string
  fileId: string
  place: string
  share: number
  movedAt: Date | string
}
export type SavePlaceRow = Record<string, never>
// Stores a position unless a later one is stored.
export const savePlace = find<SavePlaceInput, SavePlaceRow>('savePlace')
