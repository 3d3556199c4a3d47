import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

/** Kinds of open items, with the staff page that handles each. */
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
