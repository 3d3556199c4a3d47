import * as z from 'zod/mini'
import { Product, ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

/** With fewer buyers, the list could reveal the purchases of a single buyer. */
export const MIN_BUYERS = 3
export const MAX_TOGETHER = 4

export const listTogether = endpoint('GET /api/products/:id/together', {
  access: 'public',
  about: `Up to ${MAX_TOGETHER} products on sale that at least ${MIN_BUYERS} members bought in one order with this product, those of most buyers first. Counted once a night.`,
  input: z.strictObject({ id: ProductId }),
  reply: z.array(Product),
})
