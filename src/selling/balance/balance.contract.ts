import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type BalanceSheet = z.infer<typeof BalanceSheet>
/** Amounts are decimal strings in USD. `available` is negative if refunds exceed the balance. */
export const BalanceSheet = z.object({
  available: z.string(),
  pending: z.string(),
  pendingSales: z.number(),
  pendingUntil: z.nullable(z.string()),
  /** Money of disputed sales, held until the payment provider decides, and the number of these sales. */
  disputed: z.string(),
  disputedSales: z.number(),
  paidOut: z.string(),
  /** The terms of the next sale. New terms do not change earlier sales. */
  terms: z.object({ feePercent: z.string(), fixedFee: z.string(), holdDays: z.number() }),
  /** The month of the first movement, such as 2026-11. Null without movements. */
  firstMonth: z.nullable(z.string()),
  presentMonth: z.string(),
})

export const MOVEMENT_KINDS = [
  'sale',
  'discount',
  'fee',
  'refund',
  'fee_returned',
  'payout_returned',
  'payout',
] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

export type Movement = z.infer<typeof Movement>
/**
 * The sales of a product on a day at list price, the discounts or fees of a day, a refund or a payout. `sale` and `discount` add up to
 * revenue. Purchases of the seller’s own products are included, because their money moves.
 */
export const Movement = z.object({
  /** In UTC, as 2026-11-09. */
  day: z.string(),
  kind: z.enum(MOVEMENT_KINDS),
  /** The product, the refunded products, or the destination of a payout. Null for a sum of several. */
  title: z.nullable(z.string()),
  orderId: z.nullable(z.uuid()),
  /** The number of copies sold, of sales with a discount code, or of refunds. */
  count: z.number(),
  amount: z.string(),
  balance: z.string(),
})

export type Statement = z.infer<typeof Statement>
export const Statement = z.object({
  month: z.string(),
  opening: z.string(),
  closing: z.string(),
  /** The sum of each kind of movement. Outgoing amounts are negative. */
  sums: z.record(z.enum(MOVEMENT_KINDS), z.string()),
  /** Each day has one line of each kind, because the month has many movements. The CSV is never summed up. */
  isSummedUp: z.boolean(),
  movements: z.array(Movement),
})

export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
const Month = z.strictObject({ month: z.optional(z.string().check(z.regex(MONTH))) })

export const getBalance = endpoint('GET /api/account/balance', {
  access: 'member',
  about: 'The net of the caller’s sales: pending, available, paid out; and the terms of the next sale.',
  reply: BalanceSheet,
})

export const getStatement = endpoint('GET /api/account/balance/statement', {
  access: 'member',
  about:
    'Each movement of a month in UTC with the balance after it, oldest first; without `month`, of the present one.',
  input: Month,
  reply: Statement,
})
