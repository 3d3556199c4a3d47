import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

/** Days for which a new product is news to the followers of its seller. */
export const NEWS_DAYS = 14
/** Maximum number of sellers in the notice about new products. */
export const MAX_NEWS = 3

export type FollowNews = z.infer<typeof FollowNews>
/** The new products of a followed seller. `product` is the newest of them. */
export const FollowNews = z.object({
  sellerId: z.uuid(),
  seller: z.string(),
  handle: z.string(),
  count: z.number(),
  publishedAt: z.string(),
  product: z.object({ id: ProductId, title: z.string(), categoryId: z.string(), imageUrl: z.nullable(z.string()) }),
})

export const listFollowNews = endpoint('GET /api/follows/news', {
  access: 'member',
  about: `New products of followed sellers in the last ${NEWS_DAYS} days that the caller has not dismissed.`,
  reply: z.array(FollowNews),
})

export const dismissFollowNews = endpoint('PUT /api/follows/news/:id', {
  access: 'member',
  about: 'Dismisses the new products of a seller up to `until`, the `publishedAt` of the newest shown product.',
  input: z.strictObject({ id: z.uuid(), until: z.iso.datetime() }),
  reply: z.object({ id: z.uuid() }),
})
