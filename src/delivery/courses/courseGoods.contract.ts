import * as z from 'zod/mini'

export const CourseGoods = z.object({ kind: z.literal('course'), lessons: z.number(), done: z.number() })
