import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { ProductId } from '../catalogue.contract.ts'

/** Changes of so many minutes are told; whoever has not asked for longer reads the shelves anew. */
export const TOLD_MINUTES = 10
/** So many products are told of at most; whoever is told of so many reads the shelves anew. */
export const MOST_TOLD = 200

export type RealtimeProducts = z.infer<typeof RealtimeProducts>
/** `version` is another text after every change; `changed` may be bought, `removed` may not any more. */
export const RealtimeProducts = z.object({
  version: z.string(),
  changed: z.array(z.object({ id: ProductId, title: z.string(), price: z.string() })),
  removed: z.array(ProductId),
})

export const getRealtimeProducts = endpoint('GET /api/real-time/products', {
  access: 'public',
  about: `Products that changed in the last ${TOLD_MINUTES} minutes, at most ${MOST_TOLD}, for open pages; asked for every ten seconds.`,
  input: z.strictObject({}),
  reply: RealtimeProducts,
})
