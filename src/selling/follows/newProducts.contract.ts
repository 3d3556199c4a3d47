import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

/** Days for which a product is new to the followers of its seller. */
export const NEW_DAYS = 14
/** Maximum number of sellers in the notice in the shop. */
export const MAX_SHOWN_SELLERS = 3

export type NewProducts = z.infer<typeof NewProducts>
/** The new products of a followed seller. `product` is the newest of them. */
export const NewProducts = z.object({
  sellerId: z.uuid(),
  seller: z.string(),
  handle: z.string(),
  count: z.number(),
  publishedAt: z.string(),
  product: z.object({ id: ProductId, title: z.string(), categoryId: z.string(), imageUrl: z.nullable(z.string()) }),
})

export const listNewProducts = endpoint('GET /api/follows/new-products', {
  access: 'member',
  about: `New products of followed sellers in the last ${NEW_DAYS} days that the caller has not dismissed.`,
  reply: z.array(NewProducts),
})

export const dismissNewProducts = endpoint('PUT /api/follows/new-products/:id', {
  access: 'member',
  about: 'Dismisses the new products of a seller up to `until`, the `publishedAt` of the newest shown product.',
  input: z.strictObject({ id: z.uuid(), until: z.iso.datetime() }),
  reply: z.object({ id: z.uuid() }),
})
