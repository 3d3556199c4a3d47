import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'
import { Product } from './catalogue.contract.ts'

export type OwnProduct = z.infer<typeof OwnProduct>
/** A product in its seller's list; its description is cut to 200 characters. `isActive` means listed. */
export const OwnProduct = z.extend(Product, {
  createdAt: z.string(),
  /** True while a product sold as a file has none. */
  isFileMissing: z.boolean(),
  /** Why it is not listed, in the words of its page; null when it is. */
  unlistedReason: z.nullable(z.string()),
})

/** The default number of products per page. */
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
