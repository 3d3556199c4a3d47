import * as z from 'zod/mini'

/** A line with a course: its lessons, and those that the buyer marked as done. */
export const CourseGoods = z.object({ kind: z.literal('course'), lessons: z.number(), done: z.number() })
