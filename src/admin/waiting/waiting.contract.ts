import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const WAITING = {
  chats: '/admin/chat',
  refundApprovals: '/admin/orders',
  refundRequests: '/admin/orders',
  reports: '/admin/reports',
  codeCases: '/admin/code-cases',
  riskHolds: '/admin/risk',
  disputes: '/admin/disputes',
  payouts: '/admin/payouts',
  transfers: '/admin/transfers',
} as const
export type WaitingKind = keyof typeof WAITING

export type Waiting = z.infer<typeof Waiting>
export const Waiting = z.object({ kind: z.enum(Object.keys(WAITING) as WaitingKind[]), count: z.number() })

export const listWaiting = endpoint('GET /api/admin/waiting', {
  access: 'staff',
  about: 'Returns the open items that this member of staff may handle, in the order of the pages.',
  input: z.strictObject({}),
  reply: z.array(Waiting),
})

export type Totals = z.infer<typeof Totals>
/** Amounts are in USD, with the same terms as on the Sales page. `fees` excludes fees that refunds returned. */
export const Totals = z.object({
  orders: z.number(),
  sales: z.number(),
  revenue: z.string(),
  refunded: z.string(),
  fees: z.string(),
  /** Fees of payment providers, from their reports of past days. Negative if they returned more than they took. */
  costs: z.string(),
  /** Accounts that are not erased and joined in the period. */
  newMembers: z.number(),
})

/** The period of the totals, including today. */
export const TOTALS_DAYS = 30

export const getTotals = endpoint('GET /api/admin/totals', {
  access: 'finance',
  about: `Sales, refunds and fees of all sellers in the last ${TOTALS_DAYS} days (UTC), and the number of new members. The sums follow sales within a minute.`,
  reply: Totals,
})
