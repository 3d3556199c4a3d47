import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { LineOfOrder } from '../line.contract.ts'
import { CASE_REASONS } from './cases.rules.ts'
import { CASE_STATES, CodeReport } from './report.contract.ts'

export const MAX_WORDS = 500
export const CASES_PAGE = 30

const Words = z.string().check(tidy(), z.maxLength(MAX_WORDS))

export const reportCode = endpoint('POST /api/orders/:id/lines/:lineId/codes/:codeId/report', {
  access: 'member',
  about:
    'Reports a revealed code that does not work. The seller answers within CODE_CASE_HOURS with another code or the money, otherwise staff decide. One case for a code: 409 `reported`.',
  input: z.extend(LineOfOrder, { codeId: z.uuid(), reason: z.enum(CASE_REASONS), note: z.optional(Words) }),
  reply: CodeReport,
  status: 201,
})

export type CodeCase = z.infer<typeof CodeCase>
/** A case for the seller and staff, with the last digits of its code. `canReplace`: another code is in stock. */
export const CodeCase = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  orderId: z.uuid(),
  mask: z.string(),
  state: z.enum(CASE_STATES),
  reason: z.enum(CASE_REASONS),
  note: z.string(),
  sellerWords: z.string(),
  words: z.string(),
  openedAt: z.string(),
  answerBy: z.string(),
  decidedAt: z.nullable(z.string()),
  canReplace: z.boolean(),
  /** The refund failed, so staff decide again. */
  isRefundFailed: z.boolean(),
  /** Number of cases of the same buyer and of the same seller within 90 days. */
  counts: z.object({ buyer: z.number(), seller: z.number() }),
  /** The sale of the code, which is a line of an order. */
  saleId: z.uuid(),
  /** True if the code is a gift. Its recipient reported it, and its buyer cannot see it. */
  isGift: z.boolean(),
  /** How often its owner saw the code, until the decision. */
  reveals: z.object({ count: z.number(), firstAt: z.nullable(z.string()), lastAt: z.nullable(z.string()) }),
})

const Queue = z.enum(['open', 'ended'])
const Listed = z.strictObject({ queue: Queue, after: z.optional(z.uuid()) })
const Cases = z.object({ cases: z.array(CodeCase), hasMore: z.boolean() })

export const listOwnCases = endpoint('GET /api/selling/code-cases', {
  access: 'member',
  about: 'Reports of bad codes of the caller’s products; open ones by their deadline.',
  input: Listed,
  reply: Cases,
})

export const answerCase = endpoint('POST /api/selling/code-cases/:id', {
  access: 'member',
  about:
    'The seller answers a report: `replace` gives the buyer the next code of the stock, `refund` the money of that code, `decline` hands it to staff with the reason.',
  input: z.strictObject({ id: z.uuid(), act: z.enum(['replace', 'refund', 'decline']), words: z.optional(Words) }),
  reply: CodeCase,
})

const Revealed = z.object({ code: z.string(), pin: z.string(), serial: z.string() })

export const revealCase = endpoint('POST /api/selling/code-cases/:id/reveal', {
  access: 'member',
  stepUp: true,
  about: 'Returns a reported code of the caller’s product. Each call is in the audit log.',
  input: z.strictObject({ id: z.uuid() }),
  reply: Revealed,
})

export const revealCaseAsStaff = endpoint('POST /api/admin/code-cases/:id/reveal', {
  access: 'finance',
  stepUp: true,
  about: 'Returns a reported code to the staff who decide the report. Each call is in the audit log.',
  input: z.strictObject({ id: z.uuid() }),
  reply: Revealed,
})

export const listCases = endpoint('GET /api/admin/code-cases', {
  access: 'finance',
  about: 'Reports of bad codes that staff decide, oldest first; with `ended` the decided ones.',
  input: Listed,
  reply: Cases,
})

export const decideCase = endpoint('POST /api/admin/code-cases/:id', {
  access: 'finance',
  stepUp: true,
  about: 'Staff decide a report that the seller declined or left unanswered.',
  input: z.strictObject({ id: z.uuid(), act: z.enum(['replace', 'refund', 'reject']), words: z.optional(Words) }),
  reply: CodeCase,
})
