import * as z from 'zod/mini'
import { endpoint } from '../../../kit/contract.ts'
import { TakenCourse } from '../learning.contract.ts'

// The course as its seller sees it as a learner: without an order line, progress and certificate.

export type OwnCourse = z.infer<typeof OwnCourse>
export const OwnCourse = z.omit(TakenCourse, { orderId: true, resumeId: true, certificate: true })

export const getOwnCourse = endpoint('GET /api/products/:id/course/learner', {
  access: 'member',
  about: 'Returns the caller’s course as a new buyer sees it.',
  input: z.strictObject({ id: z.uuid() }),
  reply: OwnCourse,
})
