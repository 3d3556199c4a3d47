import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

export const MAX_FOLLOWED = 200
/** Days for which a new product is news to the followers of its seller. */
export const NEWS_DAYS = 14
/** Maximum number of sellers in the notice about new products. */
export const MAX_NEWS = 3

/** Where a member agrees to mails of a seller. */
export const SOURCES = ['seller_page', 'preferences'] as const
export type FollowSource = (typeof SOURCES)[number]

export type Followed = z.infer<typeof Followed>
/** A followed seller. `handle` is null without a page. */
export const Followed = z.object({
  id: z.uuid(),
  name: z.string(),
  handle: z.nullable(z.string()),
  since: z.string(),
})

export const listFollowed = endpoint('GET /api/follows', {
  access: 'member',
  about: 'The sellers that the caller follows, newest first. Nobody else sees the list; sellers see a number.',
  reply: z.array(Followed),
})

export const followSeller = endpoint('PUT /api/follows/:id', {
  access: 'member',
  about:
    'Follows a seller: the shop mails and notifies the caller of new products. `isMailed` is false if the caller gets no such mails. 409 `not_followable` for a suspended seller, 409 `own_page` for the caller, 409 `follows_full` above the limit.',
  input: z.strictObject({ id: z.uuid(), source: z.enum(SOURCES) }),
  reply: z.object({ isFollowed: z.boolean(), isMailed: z.boolean() }),
})

export const unfollowSeller = endpoint('DELETE /api/follows/:id', {
  access: 'member',
  about: 'Ends to follow a seller. No error for a seller that the caller does not follow.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ isFollowed: z.boolean() }),
})

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
