import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { TOTAL } from '../../kit/money.ts'
import { tidy } from '../../kit/text.rules.ts'
import { MAX_REASON, RefundStatus } from '../refunds/refund.contract.ts'

const Sale = z.strictObject({ id: z.uuid() })

/** `late`: more than 60 days have passed, and the buyer has not asked for a refund. `many`: too many refunds lately. */
export const REFUSALS = ['disputed', 'own', 'suspended', 'late', 'many'] as const
export type Refusal = (typeof REFUSALS)[number]

export type SaleRefundOffer = z.infer<typeof SaleRefundOffer>
/** The refundable amount of a sale. Sums are decimal strings in USD. Refunds under way count as completed. */
export const SaleRefundOffer = z.object({
  /** Copies that were sold, and those that were returned. */
  copies: z.number(),
  returned: z.number(),
  /** The payment for all copies, and the refunded part of it. */
  paid: z.string(),
  returnedSum: z.string(),
  fee: z.string(),
  returnedFee: z.string(),
  /** What the seller has for this refund: the balance without disputed sales, other sales on hold and refunds under way. It may have a minus. */
  funds: z.string(),
  /** The most that the seller can still refund of this payment without the store; null without a limit. */
  approvalLeft: z.nullable(z.string()),
  /** Why the seller cannot refund this sale, whatever the sum. */
  refusal: z.nullable(z.enum(REFUSALS)),
  refunds: z.array(
    z.object({ id: z.uuid(), status: RefundStatus, copies: z.number(), total: z.string(), at: z.string() }),
  ),
  /** The buyer, or the recipient of a gift, has downloaded, read or revealed a copy. */
  isOpened: z.boolean(),
})

export const getSaleRefundOffer = endpoint('GET /api/selling/sales/:id/refund-offer', {
  access: 'member',
  about: 'What the caller can refund of a sale of theirs, what they have for it, and the refunds so far.',
  input: Sale,
  reply: SaleRefundOffer,
})

export const refundSale = endpoint('POST /api/selling/sales/:id/refunds', {
  access: 'member',
  stepUp: true,
  about:
    'Refunds copies of a sale of the caller from their balance. `total` is what the copies come to: 409 `refund_changed` if it differs. ' +
    '409 `funds_missing` if the balance without disputed sales and without other sales on hold does not cover it, `disputed`, `suspended`, `late` or `many` as in the offer, ' +
    '`approval_needed` above the limit of the store, `goods_opened` unless `isOpened` is true once a copy was opened. Needs an `Idempotency-Key` header: the same key is one refund.',
  input: z.extend(Sale, {
    copies: z.number().check(z.int(), z.minimum(1), z.maximum(9999)),
    total: z.string().check(z.regex(TOTAL)),
    reason: z.string().check(tidy(), z.minLength(1, 'Say why; the buyer reads it.'), z.maxLength(MAX_REASON)),
    isOpened: z.boolean(),
  }),
  reply: z.object({ id: z.uuid(), status: RefundStatus, total: z.string() }),
  status: 201,
})

export const resendReceipt = endpoint('POST /api/selling/sales/:id/receipt', {
  access: 'member',
  about:
    'Mails the buyer of a sale of the caller the link to the order again, once a day. `isSent` is false if it was mailed today. 409 `closed` if the buyer cannot open the sale.',
  input: Sale,
  reply: z.object({ isSent: z.boolean() }),
})
