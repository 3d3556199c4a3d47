import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type BalanceSheet = z.infer<typeof BalanceSheet>
/** Amounts are decimal strings in USD. `available` has a minus when refunds took more than was left. */
export const BalanceSheet = z.object({
  available: z.string(),
  pending: z.string(),
  pendingSales: z.number(),
  pendingUntil: z.nullable(z.string()),
  /** Money of disputed sales, held until the payment provider decides, and the number of these sales. */
  disputed: z.string(),
  disputedSales: z.number(),
  paidOut: z.string(),
  /** The terms of the next sale; earlier ones keep the fee and hold of their time. */
  terms: z.object({ feePercent: z.string(), fixedFee: z.string(), holdDays: z.number() }),
  /** The month of the first movement as 2026-11, null before it; and the present month. */
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
/** Sales are summed up for each product and day, at the price before discounts; discounts and fees for each day. `balance` is the one after the movement. */
export const Movement = z.object({
  /** In UTC, as 2026-11-09. */
  day: z.string(),
  kind: z.enum(MOVEMENT_KINDS),
  /** The product, the products of the refunded order, or where a payout goes; null where several are summed up. */
  title: z.nullable(z.string()),
  orderId: z.nullable(z.uuid()),
  /** Copies sold; sales with a discount code; refunds summed up. */
  count: z.number(),
  amount: z.string(),
  balance: z.string(),
})

export type Statement = z.infer<typeof Statement>
export const Statement = z.object({
  month: z.string(),
  opening: z.string(),
  closing: z.string(),
  /** The sums of the movements of each kind; outgoing ones have a minus. */
  sums: z.record(z.enum(MOVEMENT_KINDS), z.string()),
  /** The month has so many movements that each day has one line of each kind; the CSV has all products. */
  isSummedUp: z.boolean(),
  movements: z.array(Movement),
})

export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
const Month = z.strictObject({ month: z.optional(z.string().check(z.regex(MONTH))) })

export const getBalance = endpoint('GET /api/account/balance', {
  access: 'member',
  about: 'What the caller earned with sales: pending, available, paid out; and the terms of the next sale.',
  reply: BalanceSheet,
})

export const getStatement = endpoint('GET /api/account/balance/statement', {
  access: 'member',
  about:
    'Each movement of a month in UTC with the balance after it, oldest first; without `month`, of the present one.',
  input: Month,
  reply: Statement,
})
