import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const MAX_FOLLOWED = 200

/** The place where a member agreed to mails about a seller. */
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
  about: 'The sellers that the caller follows, newest first. A seller sees only the number of followers.',
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
  about: 'Unfollows a seller. No error for a seller that the caller does not follow.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ isFollowed: z.boolean() }),
})
