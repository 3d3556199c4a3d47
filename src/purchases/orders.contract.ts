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
  /** The product whose cover stands for a missing image; absent or null for its own. */
  coverId: z.optional(z.nullable(z.string())),
  /** The bundle that it was bought in; `price` is its share. Null or absent for what was bought alone. */
  bundle: z.optional(z.nullable(z.object({ id: z.uuid(), title: z.string() }))),
  delivery: z.nullable(Delivery),
  given: z.optional(z.number()),
  /** The buyer keeps no copy: all are given away or wait for it. */
  isToGive: z.optional(z.boolean()),
  /** Copies that were refunded; those of a claimed gift were refunded to its giver. After the last one nothing of the line opens. */
  refunded: z.number(),
  /** Null for the buyer's own product, which they cannot review. */
  isReviewed: z.nullable(z.boolean()),
  /** What the buyer asked of staff; `answer` says why they declined. */
  refundRequest: z.nullable(
    z.object({ state: z.enum(['open', 'granted', 'declined']), answer: z.nullable(z.string()), at: z.string() }),
  ),
})

export type Order = z.infer<typeof Order>
/** Amounts are decimal strings in USD; `discounts` are taken off the lines, which have their full prices; `credit` is the part of the total that store credit pays, `earned` the store credit that a first purchase earned and kept. `refunds` are completed ones. A pending order must be paid by `expiresAt`. */
export const Order = z.object({
  id: z.uuid(),
  status: z.enum(ORDER_STATUSES),
  /** A failed order returns its lines to the cart only if they came from there. */
  source: z.enum(['cart', 'product', 'gift']),
  /** From whom, if the order is a gift that the caller claimed. */
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
  /** The newest dispute of the payment; while it is open, nothing of the order opens. */
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
/** `total` counts paid orders, also refunded ones. `spent` is the money paid for completed orders minus refunds, a decimal string in USD. */
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
