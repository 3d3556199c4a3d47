import * as z from 'zod/mini'
import { USES } from '../../delivery/uses.rules.ts'

export type CitedDelivery = z.infer<typeof CitedDelivery>
/** 'access': the shop delivered. Otherwise the buyer used the goods. */
export const CitedDelivery = z.object({ title: z.string(), kind: z.enum(['access', ...USES]), at: z.string() })

export type DisputeFact = z.infer<typeof DisputeFact>
/** What a seller added to the case of a dispute. */
export const DisputeFact = z.object({
  id: z.uuid(),
  text: z.string(),
  deliveries: z.array(CitedDelivery),
  addedAt: z.string(),
})
