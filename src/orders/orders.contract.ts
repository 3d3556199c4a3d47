import * as z from 'zod/mini'
import { Delivery } from '../delivery/delivery.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { OrderHold } from '../risk/hold.contract.ts'

export const ORDER_STATUSES = ['pending', 'completed', 'failed', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export type OrderLine = z.infer<typeof OrderLine>
export const OrderLine = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  quantity: z.number(),
  price: z.string(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  delivery: z.nullable(Delivery),
})

export type Order = z.infer<typeof Order>
/** `paymentId` is what was captured, null until then. `total`, `credit` (the part of it that store credit pays), `price` and `amount` are decimal strings in USD; `refunds` are those made. A pending order must be paid by `expiresAt`. */
export const Order = z.object({
  id: z.uuid(),
  status: z.enum(ORDER_STATUSES),
  /** What was bought: the cart, whose lines go back into it when the order fails, or a product by itself. */
  source: z.enum(['cart', 'product']),
  total: z.string(),
  credit: z.string(),
  paymentMethod: z.nullable(z.string()),
  paymentId: z.nullable(z.string()),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  /** Why it waits, and until when; null for an order that does not. */
  hold: z.optional(z.nullable(OrderHold)),
  lines: z.array(OrderLine),
  refunds: z.array(z.object({ amount: z.string(), at: z.string() })),
  events: z.array(z.object({ status: z.enum(ORDER_STATUSES), reason: z.string(), at: z.string() })),
})

/** How many orders one call brings, unless it asks for fewer. */
export const MANY_ORDERS = 200

export const listOrders = endpoint('GET /api/orders', {
  access: 'member',
  about:
    'The caller\'s orders, newest first; `after` is the last one seen. `X-Total-Count` counts them all, `Link: rel="next"` leads on.',
  input: z.strictObject({
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MANY_ORDERS))),
    after: z.optional(z.uuid()),
  }),
  reply: z.array(Order),
})

export type OrderSums = z.infer<typeof OrderSums>
/** `spent` is what was paid in money for the completed orders and not given back, a decimal string in USD. */
export const OrderSums = z.object({ total: z.number(), completed: z.number(), spent: z.string() })

export const sumOrders = endpoint('GET /api/orders/summary', {
  access: 'member',
  about: 'How many orders the caller has, how many of them are completed, and what was paid for those in money.',
  input: z.strictObject({}),
  reply: OrderSums,
})

export const getOrder = endpoint('GET /api/orders/:id', {
  access: 'member',
  about: "One of the caller's orders.",
  input: z.strictObject({ id: z.uuid() }),
  reply: Order,
})
