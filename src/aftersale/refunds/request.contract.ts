import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

export const REFUND_REASONS = {
  damaged: 'The file is damaged',
  different: 'Not as described',
  mistake: 'Bought by mistake',
  other: 'Something else',
} as const
export type RefundReason = keyof typeof REFUND_REASONS
export const Reason = z.enum(Object.keys(REFUND_REASONS) as RefundReason[])

export const MAX_NOTE = 500

export const requestRefund = endpoint('PUT /api/orders/:id/refund-request', {
  access: 'member',
  about: 'Asks staff to refund lines of a completed order. A repeat replaces reason and note until staff answer.',
  input: z.strictObject({
    id: z.uuid(),
    lineIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(200)),
    reason: Reason,
    note: z.string().check(tidy(), z.maxLength(MAX_NOTE, 'At most 500 characters')),
  }),
  reply: z.object({ id: z.uuid() }),
})

export type RefundRequest = z.infer<typeof RefundRequest>
export const RefundRequest = z.object({
  lineId: z.uuid(),
  title: z.string(),
  reason: Reason,
  note: z.string(),
  state: z.enum(['open', 'granted', 'declined']),
  answer: z.nullable(z.string()),
  at: z.string(),
})

export const declineRefund = endpoint('POST /api/admin/orders/:id/refund-requests/decline', {
  access: 'finance',
  about:
    'Declines the open refund requests of an order; the buyer reads the answer. A refund of the order grants them; while one is under way, declining is refused (409).',
  input: z.strictObject({
    id: z.uuid(),
    answer: z.string().check(tidy(), z.minLength(1, 'Say why; the buyer reads it.'), z.maxLength(MAX_NOTE)),
  }),
  reply: z.object({ id: z.uuid() }),
})
