import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type OrderHold = z.infer<typeof OrderHold>
/** Why an order waits: for its buyer's word before it is paid ('step_up'), or for a second look before it is delivered. */
export const OrderHold = z.object({
  kind: z.enum(['step_up', 'hold']),
  /** The rules that weighed most, first. */
  why: z.array(z.string()),
  /** Then it is resolved by itself: nothing was charged, or everything goes back. */
  until: z.string(),
  isClearedByConfirming: z.boolean(),
})

export const confirmOrder = endpoint('POST /api/orders/:id/confirm', {
  access: 'member',
  stepUp: true,
  about: 'The buyer of an order that waits has shown that it is them. Answers whether that lets it go on.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ isReleased: z.boolean() }),
})
