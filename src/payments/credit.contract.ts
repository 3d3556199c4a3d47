import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

/** The payment method of orders that store credit covers in full. */
export const CREDIT = 'store credit'

export const CREDIT_KINDS = [
  'earned',
  'spent',
  'returned',
  'refunded',
  'taken_back',
  'given',
  'bounced',
  'reclaimed',
] as const
export type CreditKind = (typeof CREDIT_KINDS)[number]

export type CreditEntry = z.infer<typeof CreditEntry>
/** `amount` is a decimal string in USD. Spent credit has a minus. */
export const CreditEntry = z.object({
  id: z.string(),
  kind: z.enum(CREDIT_KINDS),
  amount: z.string(),
  orderId: z.nullable(z.uuid()),
  why: z.nullable(z.string()),
  at: z.string(),
})

export type Bonus = z.infer<typeof Bonus>
/** The bonus of a first purchase: `percent` of its price up to `cap`, except for the named categories. */
export const Bonus = z.object({
  percent: z.number(),
  cap: z.string(),
  excluded: z.array(z.string()),
  excludedIds: z.array(z.string()),
  /** Cash-like categories, for which a held bonus cannot pay. */
  cash: z.array(z.string()),
  /** Payment methods that earn no bonus, because they do not identify the payer. */
  anonymousMethods: z.optional(z.array(z.string())),
})

export type Credit = z.infer<typeof Credit>
/** `balance` is spendable. New credit first pays off `debt`. `bonus` is null after the first purchase. */
export const Credit = z.object({
  balance: z.string(),
  debt: z.string(),
  /** The part of the balance that cannot pay for `cash` categories before `until`. */
  held: z.nullable(z.object({ amount: z.string(), until: z.string(), cash: z.array(z.string()) })),
  bonus: z.nullable(z.extend(Bonus, { needsVerifiedEmail: z.boolean() })),
  entries: z.array(CreditEntry),
})

export const MANY_ENTRIES = 200

export const getCredit = endpoint('GET /api/credit', {
  access: 'member',
  about: `The caller's store credit, its last ${MANY_ENTRIES} movements newest first, and what a first purchase would still earn.`,
  reply: Credit,
})
