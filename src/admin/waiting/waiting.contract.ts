import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

/** What can wait for staff, and the page that handles it. */
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
  about: 'What waits for this member of staff, in the order of the pages: only kinds that the role may handle.',
  input: z.strictObject({}),
  reply: z.array(Waiting),
})
