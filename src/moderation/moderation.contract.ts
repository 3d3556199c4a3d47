import * as z from 'zod/mini'
import { ProductId } from '../catalogue/catalogue.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { tidy } from '../kit/text.rules.ts'
import { MAX_REVIEW } from '../reviews/reviews.contract.ts'
import { Said, Words } from './question.contract.ts'
import { REASONS } from './reasons.rules.ts'

const Reason = z.enum(Object.keys(REASONS))
const known = z.nullable(z.string())
const Id = z.strictObject({ id: z.uuid() })
const Nothing = z.object({})

export const report = endpoint('PUT /api/products/:id/report', {
  access: 'member',
  about:
    'Reports a product, or with `reviewId` a review of it, to staff. One report per person and thing: a repeat replaces it until staff decide.',
  input: z.strictObject({ id: ProductId, reviewId: z.optional(z.uuid()), reason: Reason, note: Words }),
  reply: Nothing,
})

export type TakeDown = z.infer<typeof TakeDown>
export const TakeDown = z.object({ why: z.string(), at: z.string(), answer: known })

export const getTakeDown = endpoint('GET /api/products/:id/take-down', {
  access: 'member',
  about: "Why staff took a product of the caller off sale, and the caller's answer.",
  input: z.strictObject({ id: ProductId }),
  reply: TakeDown,
})

export const answerTakeDown = endpoint('PUT /api/products/:id/take-down', {
  access: 'member',
  about: 'Answers staff who took a product of the caller off sale. A repeat replaces the answer.',
  input: z.strictObject({ id: ProductId, answer: Said }),
  reply: TakeDown,
})

const DECISIONS = ['kept', 'taken_down', 'restored'] as const

export type CaseBrief = z.infer<typeof CaseBrief>
export const CaseBrief = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  categoryId: z.string(),
  imageUrl: known,
  isReview: z.boolean(),
  reason: known,
  reports: z.number(),
  lastAt: z.string(),
  decision: z.nullable(z.enum(DECISIONS)),
  isAnswered: z.boolean(),
  takenBy: known,
  answerBy: known,
})

export type CaseState = z.infer<typeof CaseState>
export const CaseState = z.enum(['waiting', 'mine', 'closed'])
export const CASES_AT_ONCE = 50

export const listCases = endpoint('GET /api/admin/reports', {
  access: 'support',
  about:
    'Reported products and reviews. Open ones that the seller answered come first, then the newest. `waiting` ones have a new report or answer, and `mine` are those that the caller works on. `Link: rel="next"` leads on.',
  input: z.strictObject({
    state: CaseState,
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(CASES_AT_ONCE))),
    after: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.array(CaseBrief),
})

export type Seller = z.infer<typeof Seller>
export const Seller = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  since: z.string(),
  listed: z.number(),
  takeDowns: z.number(),
  suspension: z.nullable(z.object({ reason: z.string(), at: z.string(), endsAt: known })),
})

export type CaseFile = z.infer<typeof CaseFile>
export const CaseFile = z.extend(CaseBrief, {
  price: z.string(),
  /** Sold copies, including refunded ones. Counting stops at 10,000 lines. */
  sold: z.number(),
  rated: z.nullable(z.object({ stars: z.number(), reviews: z.number() })),
  isListed: z.boolean(),
  review: z.nullable(
    z.object({
      author: z.string(),
      stars: z.number(),
      text: z.string(),
      /** What the seller answered in public, and why staff hid it. */
      answer: z.nullable(z.object({ text: z.string(), why: known })),
    }),
  ),
  /** Newest first, at most 100. */
  said: z.array(z.object({ reason: z.string(), note: z.string(), at: z.string(), isBuyer: z.boolean() })),
  why: known,
  decidedAt: known,
  decidedBy: known,
  question: known,
  answer: known,
  /** Staff have not seen the newest report or answer. */
  isWaiting: z.boolean(),
  /** The case is about the caller's own product or review, so another member of staff decides. */
  isOwn: z.boolean(),
  seller: Seller,
})

export const readCase = endpoint('GET /api/admin/reports/:id', {
  access: 'support',
  about: 'One case: the product, the reports, the seller.',
  input: Id,
  reply: CaseFile,
})

export const takeCase = endpoint('PUT /api/admin/reports/:id/owner', {
  access: 'support',
  about:
    'Takes a case, or gives it back. While one member of staff has a case, others decide nothing about it: 409 `case_taken`. An administrator takes it over.',
  input: z.strictObject({ id: z.uuid(), isMine: z.boolean() }),
  reply: Nothing,
})

export const ANSWER_DAYS = [1, 3, 7] as const
export const askSeller = endpoint('POST /api/admin/reports/:id/question', {
  access: 'support',
  about:
    'Asks the seller of a reported product before a decision, who reads the message and may answer. 409 `asked` while an earlier question waits.',
  input: z.strictObject({ id: z.uuid(), message: Said, days: z.literal(ANSWER_DAYS) }),
  reply: Nothing,
})

export const takeDown = endpoint('POST /api/admin/reports/:id/take-down', {
  access: 'support',
  about:
    'Takes the product off sale or hides the review. The seller or author reads reason and message; buyers keep what they bought.',
  input: z.strictObject({ id: z.uuid(), reason: Reason, message: Said }),
  reply: Nothing,
})

export const judgeAnswer = endpoint('POST /api/admin/reports/:id/answer', {
  access: 'support',
  about:
    'Hides the seller’s answer to a reported review, or shows it again with `isHidden` false. `text` is the answer that staff read: 409 `answer_changed` if it is another one by now. The seller reads the message. The case stays open.',
  input: z.strictObject({
    id: z.uuid(),
    text: z.string().check(tidy(), z.maxLength(MAX_REVIEW)),
    isHidden: z.boolean(),
    message: Said,
  }),
  reply: Nothing,
})

export const closeCase = endpoint('POST /api/admin/reports/:id/close', {
  access: 'support',
  about: 'Closes a case and leaves the product or review as it is.',
  input: Id,
  reply: Nothing,
})

export const restore = endpoint('POST /api/admin/reports/:id/restore', {
  access: 'support',
  about: 'Ends a take-down: the product may be sold, the review is shown again.',
  input: Id,
  reply: Nothing,
})

/** Duration in days. Null lasts until staff lift it. */
export const SUSPENSIONS = [7, 30, null] as const

export const suspendSeller = endpoint('POST /api/admin/sellers/:id/suspension', {
  access: 'support',
  stepUp: true,
  about:
    "Takes all of a seller's products off sale, for some days or until it is lifted. Buyers keep what they bought.",
  input: z.strictObject({
    id: z.uuid(),
    reason: Said.check(z.maxLength(500, 'At most 500 characters')),
    days: z.nullable(z.literal([7, 30])),
  }),
  reply: Nothing,
})

export const liftSuspension = endpoint('DELETE /api/admin/sellers/:id/suspension', {
  access: 'support',
  stepUp: true,
  about: 'Lets a suspended seller sell again.',
  input: Id,
  reply: Nothing,
})
