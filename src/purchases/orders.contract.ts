import * as z from 'zod/mini'
import { Delivery } from '../delivery/delivery.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { ORDER_STATUSES, REASON_CODES } from '../orders/states.rules.ts'
import { OrderHold } from '../risk/hold.contract.ts'

export type OrderLine = z.infer<typeof OrderLine>
export const OrderLine = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  quantity: z.number(),
  price: z.string(),
  isFree: z.boolean(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  /** The product whose cover replaces a missing image. Null or absent: the product's own cover. */
  coverId: z.optional(z.nullable(z.string())),
  /** The bundle that contained the product; `price` is the product's share. Null or absent without a bundle. */
  bundle: z.optional(z.nullable(z.object({ id: z.uuid(), title: z.string() }))),
  delivery: z.nullable(Delivery),
  given: z.optional(z.number()),
  /** All copies are gifts for other people, claimed or not. */
  isToGive: z.optional(z.boolean()),
  /** Number of refunded copies; the giver gets the refund of a claimed gift. If all are refunded, access ends. */
  refunded: z.number(),
  /** Null if the buyer cannot review the product, such as their own product or a gift. */
  isReviewed: z.nullable(z.boolean()),
  /** The buyer's refund request. `answer` is the reason if staff declined. */
  refundRequest: z.nullable(
    z.object({ state: z.enum(['open', 'granted', 'declined']), answer: z.nullable(z.string()), at: z.string() }),
  ),
})

export type Order = z.infer<typeof Order>
/** Amounts are in USD. `total` includes store credit (`credit`). `earned` is the remaining bonus. */
export const Order = z.object({
  id: z.uuid(),
  status: z.enum(ORDER_STATUSES),
  /** A failed order returns its lines to the cart only if they came from there. */
  source: z.enum(['cart', 'product', 'gift']),
  /** The sender of a gift that the caller claimed. */
  giver: z.optional(z.nullable(z.string())),
  takenBack: z.optional(z.nullable(z.object({ at: z.string(), isDisputed: z.boolean() }))),
  total: z.string(),
  credit: z.string(),
  earned: z.string(),
  discounts: z.array(z.object({ code: z.string(), amount: z.string() })),
  paymentMethod: z.nullable(z.string()),
  paymentId: z.nullable(z.string()),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  hold: z.optional(z.nullable(OrderHold)),
  /** The newest dispute of the payment; an open dispute blocks access to the goods. */
  dispute: z.nullable(z.object({ state: z.enum(['open', 'won', 'lost']), amount: z.string(), at: z.string() })),
  declinedAt: z.optional(z.nullable(z.string())),
  lines: z.array(OrderLine),
  /** `isCredit`: the money was returned as store credit. */
  refunds: z.array(z.object({ amount: z.string(), at: z.string(), isCredit: z.optional(z.boolean()) })),
  events: z.array(z.object({ status: z.enum(ORDER_STATUSES), code: z.enum(REASON_CODES), at: z.string() })),
})

export const MANY_ORDERS = 200

export const listOrders = endpoint('GET /api/orders', {
  access: 'member',
  about:
    'The caller\'s orders, newest first, without those that ended unpaid a day ago, or with `status` only those that wait for their payment; `after` is the last one seen. `X-Total-Count` is the number of all but the unpaid, `Link: rel="next"` the next page.',
  input: z.strictObject({
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MANY_ORDERS))),
    after: z.optional(z.uuid()),
    status: z.optional(z.literal('pending')),
  }),
  reply: z.array(Order),
})

export type OrderSums = z.infer<typeof OrderSums>
/** `total` counts completed and refunded orders. `spent` is money for completed orders minus refunds, in USD. */
export const OrderSums = z.object({ total: z.number(), completed: z.number(), spent: z.string() })

export const sumOrders = endpoint('GET /api/orders/summary', {
  access: 'member',
  about: 'The number of the caller’s paid orders and of completed ones, and the money paid for those.',
  reply: OrderSums,
})

export const getOrder = endpoint('GET /api/orders/:id', {
  access: 'member',
  about: "One of the caller's orders.",
  input: z.strictObject({ id: z.uuid() }),
  reply: Order,
})
