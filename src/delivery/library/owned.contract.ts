import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { LIBRARY_KINDS, LIBRARY_SORTS } from './filters.rules.ts'

export const LIBRARY_PAGE = 100

export type Owned = z.infer<typeof Owned>
/** What a line of a completed order gave its buyer; `id` is the line. `seller` is the name that the shop shows. */
export const Owned = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  productId: z.uuid(),
  title: z.string(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  /** The product whose cover replaces a missing image. Null: the product’s own cover. */
  coverId: z.optional(z.nullable(z.string())),
  bundle: z.optional(z.nullable(z.string())),
  seller: z.string(),
  kind: z.enum(LIBRARY_KINDS),
  /** Number of copies that were not refunded. Goods of codes have one code for each. */
  quantity: z.number(),
  boughtAt: z.string(),
  openedAt: z.nullable(z.string()),
  isArchived: z.boolean(),
  /** Why it does not open at the moment: a dispute of the order, or a refund on its way. */
  closedBy: z.nullable(z.enum(['dispute', 'refund'])),
  /** Where the caller stopped last in one of its files: a page, a place in a book, or seconds. Null before the first stop. */
  stop: z.optional(
    z.nullable(z.object({ fileId: z.uuid(), fileName: z.string(), place: z.string(), share: z.number() })),
  ),
  /** The lessons of a course, and how many are done. */
  course: z.optional(z.nullable(z.object({ lessons: z.number(), done: z.number() }))),
  /** The files of a file product: the name of the first, their number and their size. */
  files: z.nullable(z.object({ name: z.string(), count: z.number(), sizeBytes: z.number(), hasNewer: z.boolean() })),
})

export type GoOn = z.infer<typeof GoOn>
/** What a member reads, plays or learns at the moment. `share` is from 0 to 1. `coverId` is the product with its cover. */
export const GoOn = z.object({
  href: z.string(),
  label: z.string(),
  about: z.string(),
  share: z.number(),
  title: z.string(),
  coverId: z.uuid(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
})

export const readGoOn = endpoint('GET /api/library/go-on', {
  access: 'member',
  about: 'What the caller opened last and has not finished: one entry at most.',
  input: z.strictObject({}),
  reply: z.array(GoOn),
})

export const listLibrary = endpoint('GET /api/library', {
  access: 'member',
  about:
    'What the caller owns; `after` is the last one seen. `X-Total-Count` counts the whole result, `Link: rel="next"` leads on.',
  input: z.strictObject({
    sort: z.optional(z.enum(LIBRARY_SORTS)),
    kind: z.optional(z.enum(LIBRARY_KINDS)),
    q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    archived: z.optional(z.literal('yes')),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(LIBRARY_PAGE))),
    after: z.optional(z.uuid()),
  }),
  reply: z.array(Owned),
})
