import { deviceStorage } from '../../kit/storage.client.ts'
import type { EditedLesson } from './outline.contract.ts'

// Stores an unsaved lesson on this device until the seller saves or discards it.

export type LessonDraft = { title: string; text: string; version: number }

const keyOf = (partId: string) => `lesson-draft-${partId}`

export function readLessonDraft(partId: string): LessonDraft | null {
  const kept = deviceStorage.readJson(keyOf(partId)) as Partial<LessonDraft> | null
  const isWhole = typeof kept?.title === 'string' && typeof kept.text === 'string' && typeof kept.version === 'number'
  return isWhole ? (kept as LessonDraft) : null
}

export function keepLessonDraft(saved: EditedLesson, draft: LessonDraft) {
  const isSame = draft.title === saved.title && draft.text === saved.text
  if (isSame) dropLessonDraft(saved.id)
  else deviceStorage.writeJson(keyOf(saved.id), draft)
}

export const dropLessonDraft = (partId: string) => deviceStorage.write(keyOf(partId), null)
