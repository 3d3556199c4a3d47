import * as z from 'zod/mini'
import { USES } from '../../delivery/uses.rules.ts'
import { endpoint } from '../../kit/contract.ts'
import { TOTAL } from '../../kit/money.ts'
import { tidy } from '../../kit/text.rules.ts'

const Total = z.string().check(z.regex(TOTAL))

/** 'requested': sent to the provider. 'failed': rejected by the provider. */
export const RefundStatus = z.enum(['requested', 'completed', 'failed'])

export type RefundOffer = z.infer<typeof RefundOffer>
/** Refundable amounts of an order, as decimal strings in USD. */
export const RefundOffer = z.object({
  paid: z.string(),
  left: z.string(),
  /** Store credit that is not refunded yet. It is refunded with the last of the money. */
  credit: z.string(),
  /** Remaining copies of each line and their price. Empty for money that paid for no goods. */
  lines: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      copies: z.number(),
      returned: z.number(),
      paid: z.string(),
      left: z.string(),
    }),
  ),
  isDisputed: z.boolean(),
  bonus: z.string(),
  /** Destination of the money: the name of a payment provider, or store credit. */
  to: z.string(),
  isSandbox: z.boolean(),
  /** The money paid for no goods and is refunded in full. */
  isUnused: z.boolean(),
  /** The buyer's account is erased: it gets no mail and cannot use store credit. */
  isErased: z.boolean(),
  /** When codes bought with this money were first revealed. Null if none was. */
  codesSeenAt: z.nullable(z.string()),
  /** Refunds of one payment above this sum need another member of staff. Null without a limit. */
  approvalAbove: z.nullable(z.string()),
})

export const MAX_REASON = 500

export const askRefund = endpoint('POST /api/admin/orders/:id/refunds', {
  access: 'finance',
  stepUp: true,
  about:
    'Asks for money of an order to be given back. `left` is what could still be given back when it was looked at: 409 ' +
    'when that has changed. `lines` names copies of lines instead of a part of the order; `amount` is then their sum. `isUnused` says whether that was money that never became goods. `isCodeSeen` must be true once the customer has seen codes. Needs an `Idempotency-Key` header: ' +
    'the same key is one refund. `status` is `waiting` above the limit from which another member of staff must approve; ' +
    'the same request answers the one that waits.',
  input: z.strictObject({
    id: z.uuid(),
    amount: Total.check(z.refine((amount) => /[1-9]/.test(amount), 'Give more than nothing.')),
    left: Total,
    reason: z.string().check(tidy(), z.minLength(1, 'Say why; it is kept with the order.'), z.maxLength(MAX_REASON)),
    isCodeSeen: z.boolean(),
    isUnused: z._default(z.boolean(), false),
    lines: z.optional(
      z.array(z.strictObject({ id: z.uuid(), copies: z.number().check(z.int(), z.minimum(1), z.maximum(9999)) })).check(
        z.minLength(1),
        z.maxLength(200),
        z.refine((lines) => new Set(lines.map(({ id }) => id)).size === lines.length, 'Name each line once.'),
      ),
    ),
  }),
  reply: z.object({ id: z.uuid(), status: z.enum([...RefundStatus.options, 'waiting']), amount: z.string() }),
  status: 201,
})

export type RefundApproval = z.infer<typeof RefundApproval>
/**
 * A refund that waits for a second member of staff. `askedBy` is a mail address, null for the command line. `used`
 * lists goods that the buyer opened after the request, newest first.
 */
export const RefundApproval = z.object({
  id: z.uuid(),
  amount: z.string(),
  reason: z.string(),
  askedBy: z.nullable(z.string()),
  at: z.string(),
  /** The refunded lines. Null: a part of the whole order. */
  lines: z.nullable(z.array(z.object({ title: z.string(), copies: z.number() }))),
  used: z.array(z.object({ title: z.string(), kind: z.enum(USES), at: z.string() })),
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

export const reclaimCredit = endpoint('POST /api/admin/refunds/:id/reclaim', {
  access: 'finance',
  stepUp: true,
  about:
    'Takes back the store credit of a refund that the buyer’s bank returned, because staff paid the buyer by hand. `amount` is what the buyer had not spent. 409 when nothing is left, when it was taken back, or when the refund did not become credit.',
  input: z.strictObject({
    id: z.uuid(),
    reason: z.string().check(tidy(), z.minLength(1, 'Enter how you paid.'), z.maxLength(150)),
  }),
  reply: z.object({ id: z.uuid(), amount: z.string() }),
})

export const settleRefund = endpoint('POST /api/admin/refunds/:id/settle', {
  access: 'finance',
  stepUp: true,
  about:
    'Ends a refund that the provider does not explain: `made` with the provider’s reference, or not. Only while it is under way and older than the provider’s own memory of requests: 409 otherwise.',
  input: z.strictObject({
    id: z.uuid(),
    isMade: z.boolean(),
    /** The refund’s id at the provider. Required if the refund was made. */
    reference: z.optional(z.string().check(z.trim(), z.regex(/^[\w:.-]{1,100}$/, 'Letters, digits and - _ . : only'))),
    reason: z.string().check(tidy(), z.minLength(1, 'Enter how you know.'), z.maxLength(150)),
  }),
  reply: z.object({ id: z.uuid(), status: RefundStatus }),
})
