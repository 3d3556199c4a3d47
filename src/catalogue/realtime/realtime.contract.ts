import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { ProductId } from '../catalogue.contract.ts'

/** The answer covers changes of this many minutes. A page with an older answer reloads the shelves. */
export const TOLD_MINUTES = 10
/** The answer lists at most this many products. A page that receives as many reloads the shelves. */
export const MAX_TOLD = 200

export type RealtimeProducts = z.infer<typeof RealtimeProducts>
/** `version` differs after every change. `changed` products are for sale, `removed` ones are not. */
export const RealtimeProducts = z.object({
  version: z.string(),
  changed: z.array(
    z.object({ id: ProductId, title: z.string(), price: z.string(), suggested: z.optional(z.nullable(z.string())) }),
  ),
  removed: z.array(ProductId),
})

export const getRealtimeProducts = endpoint('GET /api/real-time/products', {
  access: 'public',
  about: `Products that changed in the last ${TOLD_MINUTES} minutes, at most ${MAX_TOLD}, for open pages; asked for every ten seconds.`,
  reply: RealtimeProducts,
})
