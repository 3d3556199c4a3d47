import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine, tidy } from '../../kit/text.rules.ts'

export type ReviewedAnswer = z.infer<typeof ReviewedAnswer>
export const ReviewedAnswer = z.object({
  questionId: z.uuid(),
  userId: z.uuid(),
  question: z.string(),
  lesson: z.string(),
  answer: z.string(),
  intent: z.nullable(z.string()),
  confidence: z.nullable(z.number()),
  tools: z.array(z.string()),
  sources: z.array(z.string()),
  model: z.nullable(z.string()),
  dropped: z.number(),
  tookMs: z.nullable(z.number()),
  cost: z.string(),
  rating: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  at: z.string(),
})

export const MANY_ANSWERS = 50
export const listAnswers = endpoint('GET /api/admin/answers', {
  access: 'support',
  about: `Answers of the assistant that need a look, newest first: unsure ones and those that did not help. With \`all\` the last ${MANY_ANSWERS} of any kind, with \`userId\` those of one customer.`,
  input: z.strictObject({ all: z.optional(z.literal('yes')), userId: z.optional(z.uuid()) }),
  reply: z.array(ReviewedAnswer),
})

export const markReviewed = endpoint('POST /api/admin/answers/:questionId/reviewed', {
  access: 'support',
  about: 'Takes an answer off the list.',
  input: z.strictObject({ questionId: z.uuid() }),
  reply: z.object({ isReviewed: z.boolean() }),
})

export const MAX_LESSON_LENGTH = 300
export type Lesson = z.infer<typeof Lesson>
const Lesson = z.object({
  id: z.uuid(),
  question: z.string(),
  slug: z.nullable(z.string()),
  answer: z.nullable(z.string()),
})
export const listLessons = endpoint('GET /api/admin/lessons', {
  access: 'support',
  about: 'Questions that staff taught the assistant.',
  reply: z.array(Lesson),
})

export const teach = endpoint('POST /api/admin/lessons', {
  access: 'support',
  about:
    'Teaches the assistant a question: the help article that answers it, or an answer. The same question is replaced. It may name no person, address or number; in the words of the customer who asked (`questionId`) it is forgotten with their messages.',
  input: z.strictObject({
    question: oneLine().check(z.minLength(3, 'Write the question.'), z.maxLength(MAX_LESSON_LENGTH)),
    questionId: z.optional(z.uuid()),
    slug: z.optional(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))),
    answer: z.optional(z.string().check(tidy(), z.minLength(1), z.maxLength(1000))),
  }),
  reply: z.array(Lesson),
  status: 201,
})

export const unteach = endpoint('DELETE /api/admin/lessons/:id', {
  access: 'support',
  about: 'Forgets a taught question.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(Lesson),
})
