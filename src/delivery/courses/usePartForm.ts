import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Failure } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { problemsOf, readPart, typedOf } from './lesson.rules.ts'
import { dropLessonDraft, keepLessonDraft, readLessonDraft } from './lessonDraft.client.ts'
import { type EditedLesson, getPart, savePart } from './outline.contract.ts'

export type PartFormInput = { productId: string; part: EditedLesson; onClose: () => void; onSaved: () => void }
export type PartForm = ReturnType<typeof usePartForm>

export function usePartForm({ productId, part, onClose, onSaved }: PartFormInput) {
  const cache = useQueryClient()
  const [draft] = useState(() => readLessonDraft(part.id))
  const [isRestored, setRestored] = useState(draft !== null)
  const [isConflict, setConflict] = useState(false)
  const asked = { id: productId, partId: part.id }
  const form = useSavedForm({
    saved: part,
    valuesOf: typedOf,
    problemsOf,
    draft: draft && { title: draft.title, text: draft.text },
    storeDraft: ({ title, text }) => keepLessonDraft(part, { title, text, version: part.version }),
    save: async (typed, { version }) => {
      await call(savePart, { ...asked, version, ...readPart(typed) })
      dropLessonDraft(part.id)
      toast({ title: 'Saved', tone: 'good' })
      onSaved()
    },
    onSaved: onClose,
    failure: 'We couldn’t save it. Please try again.',
    onFailure: async (error, message) => {
      if (error instanceof Failure && error.code === 'changed') {
        await cache.refetchQueries({ queryKey: keyOf(getPart, asked) })
        setConflict(true)
      }
      toastFailure(error, message)
    },
  })
  const discard = () => {
    dropLessonDraft(part.id)
    form.put({ title: part.title, text: part.text })
    setRestored(false)
    setConflict(false)
  }
  return { ...form, draft, isRestored, isConflict, discard }
}
