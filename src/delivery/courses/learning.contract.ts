import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { ReadFile } from '../reading/reading.contract.ts'

// The buyer's view of a course. `id` is the order line.

export type LessonLook = 'text' | 'audio' | 'video'

export type CoursePart = z.infer<typeof CoursePart>
/** A section is a heading for the lessons up to the next section. */
export const CoursePart = z.object({
  id: z.uuid(),
  isSection: z.boolean(),
  title: z.string(),
  look: z.enum(['text', 'audio', 'video']),
  minutes: z.number(),
  opensAt: z.nullable(z.string()),
  isDone: z.boolean(),
})

export type Certificate = z.infer<typeof Certificate>
/** `name` is null if the member's profile has none. */
export const Certificate = z.object({
  number: z.string(),
  name: z.nullable(z.string()),
  title: z.string(),
  seller: z.string(),
  lessons: z.number(),
  completedAt: z.string(),
})

export type TakenCourse = z.infer<typeof TakenCourse>
export const TakenCourse = z.object({
  orderId: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  seller: z.string(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  parts: z.array(CoursePart),
  /** The lesson to resume: the last opened one if it is open and not done, otherwise the next one. */
  resumeId: z.nullable(z.uuid()),
  certificate: z.nullable(Certificate),
})

const Line = z.strictObject({ id: z.uuid() })
const Lesson = z.extend(Line, { lessonId: z.uuid() })

export const getCourse = endpoint('GET /api/learn/:id', {
  access: 'member',
  about:
    'The course of a bought line: its sections and lessons as they are at the moment, with the progress of the caller.',
  input: Line,
  reply: TakenCourse,
})

export type LessonText = z.infer<typeof LessonText>
export const LessonText = z.object({ id: z.uuid(), title: z.string(), text: z.string() })

export type TakenLesson = z.infer<typeof TakenLesson>
export const TakenLesson = z.extend(LessonText, { files: z.array(ReadFile) })

export const getLesson = endpoint('GET /api/learn/:id/lessons/:lessonId', {
  access: 'member',
  about: 'A lesson with its text and files. Its first look is recorded. 409 `locked` before it opens.',
  input: Lesson,
  reply: TakenLesson,
})

export const listLessons = endpoint('GET /api/learn/:id/lessons', {
  access: 'member',
  about: 'The texts of all open lessons, for offline reading. Counts as a use and does not change the progress.',
  input: Line,
  reply: z.array(LessonText),
})

export const setLessonDone = endpoint('PUT /api/learn/:id/lessons/:lessonId/done', {
  access: 'member',
  about: 'Marks a lesson as done, or as not done. With the last lesson the caller gets the certificate.',
  input: z.extend(Lesson, { isDone: z.boolean() }),
  reply: TakenCourse,
})

export const listPreviews = endpoint('GET /api/products/:id/lessons', {
  access: 'public',
  about: 'The sections and lessons of a listed course, with the text of those that its seller shows to everybody.',
  input: Line,
  reply: z.array(
    z.object({
      id: z.uuid(),
      isSection: z.boolean(),
      title: z.string(),
      look: CoursePart.shape.look,
      /** A future UTC day, 'YYYY-MM-DD'. Null for a lesson that opens on the day of the purchase. */
      opensOn: z.nullable(z.string()),
      opensAfterDays: z.nullable(z.number()),
      text: z.nullable(z.string()),
    }),
  ),
})
