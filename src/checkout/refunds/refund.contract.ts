import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { TOTAL } from '../../kit/money.ts'
import { tidy } from '../../kit/text.rules.ts'

const Total = z.string().check(z.regex(TOTAL))

/** 'requested' is on its way; 'failed' was refused by the provider. */
export const RefundStatus = z.enum(['requested', 'completed', 'failed'])

export type RefundOffer = z.infer<typeof RefundOffer>
/** What is refundable of an order. Sums are decimal strings in USD. */
export const RefundOffer = z.object({
  paid: z.string(),
  /** Neither refunded nor requested. */
  left: z.string(),
  /** What store credit paid; it returns with the last of the money. */
  credit: z.string(),
  /** What the order earned as a first purchase. */
  bonus: z.string(),
  /** Where the money goes: a payment provider's name, or store credit. */
  to: z.string(),
  /** The provider moves no real money. */
  isSandbox: z.boolean(),
  /** The money bought no goods and goes back whole. */
  isUnused: z.boolean(),
  /** The buyer's account is erased: it gets no mail, and its store credit is out of reach. */
  isErased: z.boolean(),
  /** When codes that this money bought were first shown; null when none was. */
  codesSeenAt: z.nullable(z.string()),
  /** More than this of one payment, in all refunds together, needs another member of staff; null without a limit. */
  approvalAbove: z.nullable(z.string()),
})

export const MOST_REASON = 500

export const askRefund = endpoint('POST /api/admin/orders/:id/refunds', {
  access: 'finance',
  about:
    'Asks for money of an order to be given back. `left` is what could still be given back when it was looked at: 409 ' +
    'when that has changed. `isUnused` says whether that was money that never became goods. `isCodeSeen` must be true once the customer has seen codes. Needs an `Idempotency-Key` header: ' +
    'the same key is one refund. `status` is `waiting` above the limit from which another member of staff must approve; ' +
    'the same request answers the one that waits.',
  input: z.strictObject({
    id: z.uuid(),
    amount: Total.check(z.refine((amount) => /[1-9]/.test(amount), 'Give more than nothing.')),
    left: Total,
    reason: z.string().check(tidy(), z.minLength(1, 'Say why; it is kept with the order.'), z.maxLength(MOST_REASON)),
    isCodeSeen: z.boolean(),
    isUnused: z._default(z.boolean(), false),
  }),
  reply: z.object({ id: z.uuid(), status: z.enum([...RefundStatus.options, 'waiting']), amount: z.string() }),
  status: 201,
})

export type RefundApproval = z.infer<typeof RefundApproval>
/**
 * A refund that waits for a second member of staff. `askedBy` is an address, null for the command line. `used` are the
 * goods that the buyer downloaded or saw after it was asked for, newest first.
 */
export const RefundApproval = z.object({
  id: z.uuid(),
  amount: z.string(),
  reason: z.string(),
  askedBy: z.nullable(z.string()),
  at: z.string(),
  used: z.array(z.object({ title: z.string(), kind: z.enum(['download', 'reveal']), at: z.string() })),
})

export const decideRefund = endpoint('POST /api/admin/refunds/:id/decision', {
  access: 'finance',
  stepUp: true,
  about:
    'Approves a refund that waits, which makes it, or rejects it. Whoever asked for it cannot decide: 409; nor can the buyer: 403. ' +
    '`usedAt` is the moment of the newest of `used` that the caller saw: an approval answers 409 when there is a newer one.',
  input: z.strictObject({
    id: z.uuid(),
    isApproved: z.boolean(),
    usedAt: z._default(z.nullable(z.iso.datetime()), null),
  }),
  reply: z.object({ id: z.uuid() }),
})
