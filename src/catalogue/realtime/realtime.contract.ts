import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { ProductId } from '../catalogue.contract.ts'

/** The response covers changes of this many minutes. A page that polled longer ago reloads the lists. */
export const TOLD_MINUTES = 10
/** Maximum number of products in the response. A page that receives this many reloads the lists. */
export const MAX_TOLD = 200

export type RealtimeProducts = z.infer<typeof RealtimeProducts>
/** `version` differs after every change. `changed` products are on sale, `removed` ones are not. */
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
