import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type OrderHold = z.infer<typeof OrderHold>
/** Reason why an order waits: the buyer must confirm it ('step_up'), or staff review it before delivery. */
export const OrderHold = z.object({
  kind: z.enum(['step_up', 'hold']),
  why: z.array(z.string()),
  /** The hold expires at this time: nothing was charged, or the payment is refunded. */
  until: z.string(),
  isClearedByConfirming: z.boolean(),
  since: z.optional(z.string()),
})

export const confirmOrder = endpoint('POST /api/orders/:id/confirm', {
  access: 'member',
  stepUp: true,
  about: 'Confirms a held order after a proof of identity. Returns whether the order proceeds.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ isReleased: z.boolean() }),
})
