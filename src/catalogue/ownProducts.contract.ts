import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'
import { Product } from './catalogue.contract.ts'

export type OwnProduct = z.infer<typeof OwnProduct>
/** A product as its seller sees it in a list, its description cut to 200 characters; `isActive` says whether it is listed. */
export const OwnProduct = z.extend(Product, {
  createdAt: z.string(),
  /** True until a product that is sold as a file has one. */
  isFileMissing: z.boolean(),
  /** Why it is not in the shop, in the words of its page; null for one that is. */
  unlistedReason: z.nullable(z.string()),
})

/** How many products one call brings, unless it asks for fewer or more. */
export const MANY_OWN = 60

export const listOwnProducts = endpoint('GET /api/account/products', {
  access: 'member',
  about:
    'The products the caller sells, newest first, also those that are not listed; `X-Total-Count` counts them all, `Link: rel="next"` leads on.',
  input: z.strictObject({
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
    after: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.array(OwnProduct),
})
