import * as z from 'zod/mini'
import { Handle, Product } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

export const MAX_BIO_LENGTH = 500

export type Seller = z.infer<typeof Seller>
/** The public data of a seller, without bio and picture if the seller is suspended. */
export const Seller = z.object({
  id: z.uuid(),
  /** The current handle, also if a former one was requested. */
  handle: Handle,
  name: z.string(),
  bio: z.string(),
  avatarUrl: z.nullable(z.string()),
  rated: Product.shape.rated,
  since: z.string(),
  products: z.number(),
})

export const getSeller = endpoint('GET /api/sellers/:handle', {
  access: 'public',
  about: 'A seller with the rating of their products. `GET /api/products?seller=` lists the products.',
  input: z.strictObject({ handle: Handle }),
  reply: Seller,
})

export type Storefront = z.infer<typeof Storefront>
/** `handle` is null until the member chooses one or puts a product on sale. */
export const Storefront = z.object({ handle: z.nullable(z.string()), bio: z.string(), isOpen: z.boolean() })

export const getStorefront = endpoint('GET /api/account/storefront', {
  access: 'member',
  about: "Address and text of the caller's seller page. The page opens with the first product on sale.",
  reply: Storefront,
})

export const saveStorefront = endpoint('PUT /api/account/storefront', {
  access: 'member',
  about:
    "Changes address and text of the caller's seller page. A former address leads to the new one. 409 `handle_taken` if another member has or had it.",
  input: z.strictObject({
    handle: Handle,
    bio: z.string().check(tidy(), z.maxLength(MAX_BIO_LENGTH, `At most ${MAX_BIO_LENGTH} characters`)),
  }),
  reply: Storefront,
})
