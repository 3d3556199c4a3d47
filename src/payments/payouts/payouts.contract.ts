import * as z from 'zod/mini'
import { EMAIL, tidyEmail } from '../../identity/accounts/email.rules.ts'
import { endpoint } from '../../kit/contract.ts'
import { DECIMAL } from '../../kit/money.ts'
import { oneLine } from '../../kit/text.rules.ts'

const known = z.nullable(z.string())
const METHODS = ['paypal', 'bank'] as const
const STATES = ['requested', 'approved', 'processing', 'sent', 'failed', 'returned'] as const
export const SCHEDULES = ['request', 'monthly'] as const

const Hold = z.object({
  code: z.string(),
  why: z.string(),
  todo: z.nullable(z.object({ label: z.string(), href: z.string() })),
})

export type Payout = z.infer<typeof Payout>
export const Payout = z.object({
  id: z.uuid(),
  amount: z.string(),
  state: z.enum(STATES),
  /** The masked destination for the seller: 'account ending 4410'. */
  to: known,
  why: known,
  createdAt: z.string(),
  endedAt: known,
})

export type OwnPayouts = z.infer<typeof OwnPayouts>
export const OwnPayouts = z.object({
  details: z.nullable(
    z.object({
      method: z.enum(METHODS),
      label: z.string(),
      schedule: z.enum(SCHEDULES),
      waitsUntil: known,
      rejection: known,
    }),
  ),
  methods: z.array(z.enum(METHODS)),
  minimum: z.string(),
  reviewDays: z.number(),
  available: z.string(),
  next: z.object({
    kind: z.enum(['open', 'scheduled', 'request']),
    at: known,
    amount: z.string(),
    hold: z.nullable(Hold),
  }),
  payouts: z.array(Payout),
})

export const MANY_PAYOUTS = 50

export const getPayouts = endpoint('GET /api/payouts', {
  access: 'member',
  about: "The caller's payout details, next payout and latest payouts.",
  reply: OwnPayouts,
})

const line = (most: number, empty: string) => oneLine(empty).check(z.minLength(1, empty), z.maxLength(most))

export type DetailsInput = z.infer<typeof DetailsInput>
export const DetailsInput = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('paypal'),
    email: z.string().check(z.overwrite(tidyEmail), z.maxLength(127), z.regex(EMAIL)),
  }),
  z.strictObject({
    method: z.literal('bank'),
    holder: line(70, 'Enter the name on the account'),
    account: line(42, 'Enter the account number'),
    bank: line(14, 'Enter the bank'),
  }),
])

export const savePayoutDetails = endpoint('PUT /api/payouts/details', {
  access: 'member',
  stepUp: true,
  about:
    'Changes where payouts go. Payouts wait 24 hours afterwards. The old payout address and the account’s address get a mail.',
  input: z.strictObject({ details: DetailsInput }),
  reply: OwnPayouts,
})

export const setPayoutSchedule = endpoint('PUT /api/payouts/schedule', {
  access: 'member',
  about: 'Chooses when payouts go out: on request, or on the first of each month.',
  input: z.strictObject({ schedule: z.enum(SCHEDULES) }),
  reply: OwnPayouts,
})

export const requestPayout = endpoint('POST /api/payouts', {
  access: 'member',
  stepUp: true,
  about: 'Requests a payout, of all that is available unless `amount` says less.',
  input: z.strictObject({ amount: z.optional(z.string().check(z.regex(DECIMAL, 'amount: such as 25.00'))) }),
  reply: OwnPayouts,
  status: 201,
})

export const QUEUES = ['waiting', 'underway', 'ended'] as const
export type Queue = (typeof QUEUES)[number]

export type SellerFacts = z.infer<typeof SellerFacts>
/** For the decision of staff. `sales`, `sold` (their revenue) and `refunded` cover the last 90 days. `last` has the latest payouts that ended. */
export const SellerFacts = z.object({
  isFirst: z.boolean(),
  since: z.string(),
  sales: z.number(),
  sold: z.string(),
  refunded: z.string(),
  disputed: z.number(),
  last: z.array(z.object({ amount: z.string(), state: z.enum(STATES), at: z.string() })),
})
export type StoredFacts = Omit<SellerFacts, 'sold' | 'refunded'> & { sold: number; refunded: number }

export type QueuedPayout = z.infer<typeof QueuedPayout>
export const QueuedPayout = z.object({
  id: z.uuid(),
  seller: z.string(),
  amount: z.string(),
  state: z.enum(STATES),
  method: z.nullable(z.enum(METHODS)),
  to: known,
  batchId: known,
  hold: known,
  reason: known,
  createdAt: z.string(),
  dueAt: z.string(),
  endedAt: known,
  isOwn: z.boolean(),
  about: SellerFacts,
  /** Decision of a first member of staff, which another member must confirm. */
  first: z.nullable(z.object({ act: z.enum(['approved', 'failed', 'returned']), by: z.string(), isOwn: z.boolean() })),
})

export const PAYOUTS_AT_ONCE = 50
export const MAX_AT_ONCE = 1000

export const listQueuedPayouts = endpoint('GET /api/admin/payouts', {
  access: 'finance',
  about: 'Payouts by state, the oldest that wait first.',
  input: z.strictObject({
    queue: z.enum(QUEUES),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_AT_ONCE))),
    after: z.optional(z.uuid()),
  }),
  reply: z.array(QueuedPayout),
})

export type Batch = z.infer<typeof Batch>
export const Batch = z.object({
  id: z.uuid(),
  method: z.enum(METHODS),
  state: z.enum(['approved', 'sent', 'refused', 'over']),
  payouts: z.number(),
  amount: z.string(),
  approvedBy: known,
  createdAt: z.string(),
  problem: known,
})

export const MANY_BATCHES = 20

export const listPayoutBatches = endpoint('GET /api/admin/payouts/batches', {
  access: 'finance',
  about: `The last ${MANY_BATCHES} batches.`,
  reply: z.array(Batch),
})

const ids = z.array(z.uuid()).check(z.minLength(1, 'Choose a payout'), z.maxLength(MAX_AT_ONCE))

export const approvePayouts = endpoint('POST /api/admin/payouts/batches', {
  access: 'finance',
  stepUp: true,
  about:
    'Approves payouts: those of the provider are sent by a job, those to banks become a file. Payouts above the limit are `waiting` until another member of staff approves them.',
  input: z.strictObject({ ids }),
  reply: z.object({ approved: z.number(), waiting: z.number(), skipped: z.number() }),
  status: 201,
})

export const markPayouts = endpoint('PUT /api/admin/payouts/mark', {
  access: 'finance',
  stepUp: true,
  about:
    'Marks payouts to banks as sent, failed or returned. `isFinal`: no retry until the details change. After the download of the bank file, `failed` and `returned` are `waiting` until another member of staff marks the same.',
  input: z.strictObject({
    ids,
    as: z.enum(['sent', 'failed', 'returned']),
    reason: z.optional(line(200, 'Give a reason')),
    isFinal: z.optional(z.boolean()),
  }),
  reply: z.object({ marked: z.number(), waiting: z.number() }),
})
