import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

/** The kinds of open work with the page that handles each. */
export const WAITING = {
  disputes: '/admin/disputes',
  chats: '/admin/chat',
  refundApprovals: '/admin/orders',
  refundRequests: '/admin/orders',
  riskHolds: '/admin/risk',
  reports: '/admin/reports',
  messageReports: '/admin/reports',
  codeCases: '/admin/code-cases',
  payouts: '/admin/payouts',
  transfers: '/admin/transfers',
  supply: '/admin/supply',
} as const
export type WaitingKind = keyof typeof WAITING
const Kind = z.enum(Object.keys(WAITING) as WaitingKind[])

export type Waiting = z.infer<typeof Waiting>
/** `mine` counts the items that the caller handles already. `oldestAt` is null if nothing waits. */
export const Waiting = z.object({
  kind: Kind,
  count: z.number(),
  mine: z.number(),
  oldestAt: z.nullable(z.string()),
})

export const listWaiting = endpoint('GET /api/admin/waiting', {
  access: 'staff',
  about: 'Returns the number of open items that this member of staff may handle, by kind.',
  input: z.strictObject({}),
  reply: z.array(Waiting),
})

export type OpenItem = z.infer<typeof OpenItem>
/**
 * `id` is the id in the address of the item’s page. `owner` is the member of staff who handles it. Of an act that needs
 * two members of staff, it is the first one, who sees no such item.
 */
export const OpenItem = z.object({
  kind: Kind,
  id: z.uuid(),
  about: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  since: z.string(),
  dueAt: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  isMine: z.boolean(),
})

/** The number of items of each kind in the list. */
export const ITEMS_OF_KIND = 4

export const listOpenItems = endpoint('GET /api/admin/open-items', {
  access: 'staff',
  about: `The ${ITEMS_OF_KIND} most urgent open items of each kind that this member of staff may handle. Items of the caller come first.`,
  input: z.strictObject({}),
  reply: z.array(OpenItem),
})

/** Amounts are in USD, with the same terms as on the Sales page. `fees` excludes fees that refunds returned. */
const Period = z.object({
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

export type Totals = z.infer<typeof Totals>
export const Totals = z.object({ today: Period, week: Period })

export const getTotals = endpoint('GET /api/admin/totals', {
  access: 'finance',
  about:
    'Sales, refunds and fees of all sellers, and the number of new members: today and in the last 7 days including today (UTC). The sums follow sales within a minute.',
  reply: Totals,
})
