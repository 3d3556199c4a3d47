import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const USES_STEP = 10

export type DiscountUse = z.infer<typeof DiscountUse>
/** An order that used a discount code. */
export const DiscountUse = z.object({
  /** The number of the order. */
  number: z.string(),
  usedAt: z.string(),
  /** The price that the order paid for the discounted products, before refunds. */
  paid: z.string(),
  /** The first discounted sale of the order. Null until the order is paid. */
  sale: z.nullable(
    z.object({
      id: z.uuid(),
      /** The public name of the buyer, as under a review. */
      buyerName: z.string(),
      /** True if the seller is the buyer. */
      isOwn: z.boolean(),
    }),
  ),
})

export const listDiscountUses = endpoint('GET /api/selling/discounts/:id/uses', {
  access: 'member',
  about:
    'The orders that used a discount code of the caller, without failed orders, newest first. `X-Total-Count` counts all, `Link: rel="next"` leads on.',
  input: z.strictObject({
    id: z.uuid(),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
    after: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.array(DiscountUse),
})
