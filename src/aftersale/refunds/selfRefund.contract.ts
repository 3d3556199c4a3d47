import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { TOTAL } from '../../kit/money.ts'
import { tidy } from '../../kit/text.rules.ts'
import { RefundStatus } from './refund.contract.ts'
import { MAX_NOTE, Reason } from './request.contract.ts'

export type BuyerRefundOffer = z.infer<typeof BuyerRefundOffer>
/** Refundable lines for a buyer. Sums are decimal strings in USD. Shared names mean the same as for staff. */
export const BuyerRefundOffer = z.object({
  paid: z.string(),
  left: z.string(),
  credit: z.string(),
  bonus: z.string(),
  to: z.string(),
  /** The card that paid, such as 'Visa ending in 4242', if the provider reported it. */
  card: z.optional(z.string()),
  /** Days within which unused goods are refunded at once. 0 disables it. */
  days: z.number(),
  lines: z.array(
    z.object({
      id: z.uuid(),
      amount: z.string(),
      /** Price of `quantity` copies. `returned` copies are refunded. */
      paid: z.string(),
      quantity: z.number(),
      returned: z.number(),
      atOnce: z.number(),
      whyNot: z.nullable(z.enum(['off', 'late', 'used', 'claimed', 'often', 'look'])),
      /** Copies that recipients claimed as gifts, with the names that the buyer entered. */
      claimed: z.object({ copies: z.number(), isOpened: z.boolean(), names: z.array(z.string()) }),
    }),
  ),
})

export const getRefundOffer = endpoint('GET /api/orders/:id/refund-offer', {
  access: 'member',
  about:
    'What the buyer of a completed order can return, and which of it at once: 409 for other orders and while a dispute or a refund of all of it is open.',
  input: z.strictObject({ id: z.uuid() }),
  reply: BuyerRefundOffer,
})

export const takeRefund = endpoint('POST /api/orders/:id/refunds', {
  access: 'member',
  stepUp: true,
  about:
    'Refunds unopened lines at once. `copies` lists the lines of which only some copies are refunded. `total` is the sum that the buyer saw: 409 `refund_changed` if it differs. ' +
    '409 `not_at_once` for a line that staff have to look at. A repeat answers the same refund.',
  input: z.strictObject({
    id: z.uuid(),
    lineIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(200)),
    copies: z.optional(
      z
        .array(z.strictObject({ id: z.uuid(), copies: z.number().check(z.int(), z.minimum(1), z.maximum(9999)) }))
        .check(z.maxLength(200)),
    ),
    reason: Reason,
    note: z.string().check(tidy(), z.maxLength(MAX_NOTE, 'At most 500 characters')),
    total: z.string().check(z.regex(TOTAL)),
  }),
  reply: z.object({ id: z.uuid(), status: RefundStatus, total: z.string() }),
  status: 201,
})
