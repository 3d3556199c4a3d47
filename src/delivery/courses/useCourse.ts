import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { describeRefusal } from '../refusal.rules.ts'
import { getCourse, getLesson, setLessonDone, type TakenCourse } from './learning.contract.ts'
import { readCourse, readLesson } from './storedCourse.client.ts'

/** Loads the course of a line. Refetches on each visit, because its seller may have changed it. */
export const useCourse = (id: string) =>
  useQuery({ queryKey: keyOf(getCourse, { id }), queryFn: () => readCourse(id), refetchOnMount: 'always' })

export const useLesson = (id: string, lessonId: string | null) =>
  useQuery({
    queryKey: keyOf(getLesson, { id, lessonId: lessonId ?? '' }),
    queryFn: lessonId === null ? skipToken : () => readLesson(id, lessonId),
    refetchOnMount: 'always',
    // a position stored meanwhile is newer than the cached one
    gcTime: 0,
  })

export function useLessonDone(id: string) {
  const cache = useQueryClient()
  const key = keyOf(getCourse, { id })
  return useMutation({
    scope: { id: `course ${id}` },
    mutationFn: (given: { lessonId: string; isDone: boolean }) => call(setLessonDone, { id, ...given }),
    onMutate: ({ lessonId, isDone }) => {
      const before = cache.getQueryData<TakenCourse>(key)
      if (before)
        cache.setQueryData(key, {
          ...before,
          parts: before.parts.map((part) => (part.id === lessonId ? { ...part, isDone } : part)),
        })
      return before
    },
    onSuccess: (course) => cache.setQueryData(key, course),
    onError: (error, _, before) => {
      if (before) cache.setQueryData(key, before)
      toastFailure(error, describeRefusal(error, 'We couldn’t save that. Please try again.'))
    },
  })
}
