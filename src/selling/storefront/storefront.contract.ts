import * as z from 'zod/mini'
import { Handle, Product, ProductId } from '../../catalogue/catalogue.contract.ts'
import {
  COLOR,
  isOrder,
  linkProblem,
  MAX_LABEL_LENGTH,
  MAX_LINKS,
  SECTIONS,
} from '../../catalogue/sellers/design.rules.ts'
import { endpoint } from '../../kit/contract.ts'
import { oneLine, tidy } from '../../kit/text.rules.ts'

export const MAX_BIO_LENGTH = 500

export type SellerDesign = z.infer<typeof SellerDesign>
/** How a seller's page looks. A null colour is that of the shop. `featured` is on sale. */
export const SellerDesign = z.object({
  /** `url` is the 640 px WebP, `color` the mean colour of the picture. */
  header: z.nullable(z.object({ url: z.string(), color: z.nullable(z.string()) })),
  headerColor: z.nullable(z.string()),
  accentColor: z.nullable(z.string()),
  sections: z.array(z.enum(SECTIONS)),
  featured: z.nullable(Product),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
})

export type Seller = z.infer<typeof Seller>
/** The public data of a seller, without bio, picture and design if the seller is suspended. */
export const Seller = z.object({
  id: z.uuid(),
  /** The current handle, also if a former one was requested. */
  handle: Handle,
  name: z.string(),
  bio: z.string(),
  avatarUrl: z.nullable(z.string()),
  /** Null for the look of the shop. */
  design: z.nullable(SellerDesign),
  rated: Product.shape.rated,
  since: z.string(),
  products: z.number(),
  /** False for a suspended seller and for one whose account will be deleted. */
  canFollow: z.boolean(),
})

export const getSeller = endpoint('GET /api/sellers/:handle', {
  access: 'public',
  about:
    'A seller with the design of the page and the rating of their products. `GET /api/products?seller=` lists the products.',
  input: z.strictObject({ handle: Handle }),
  reply: Seller,
})

export type Storefront = z.infer<typeof Storefront>
/** `handle` is null until the member chooses one or puts a product on sale. */
export const Storefront = z.object({
  handle: z.nullable(z.string()),
  bio: z.string(),
  isOpen: z.boolean(),
  design: z.nullable(SellerDesign),
  /** The featured product, also while it is off sale. */
  featuredId: z.nullable(ProductId),
})

export const getStorefront = endpoint('GET /api/account/storefront', {
  access: 'member',
  about: "Address, text and design of the caller's seller page. The page opens with the first product on sale.",
  reply: Storefront,
})

const Color = z.nullable(z.string().check(z.toLowerCase(), z.regex(COLOR, 'A color is # and six digits.')))

const SellerLink = z.strictObject({
  label: oneLine('Name the link.').check(z.minLength(1, 'Name the link.'), z.maxLength(MAX_LABEL_LENGTH)),
  url: z.string().check(z.trim(), ({ value, issues }) => {
    const message = linkProblem(value)
    if (message) issues.push({ code: 'custom', message, input: value })
  }),
})

export const saveStorefront = endpoint('PUT /api/account/storefront', {
  access: 'member',
  about:
    "Changes address, text and design of the caller's seller page. Without `design`, the design stays. `headerURL` is an upload of the caller, the current picture, or null for none. A former address leads to the new one. 409 `handle_taken` if another member has or had it.",
  input: z.strictObject({
    handle: Handle,
    bio: z.string().check(tidy(), z.maxLength(MAX_BIO_LENGTH, `At most ${MAX_BIO_LENGTH} characters`)),
    design: z.optional(
      z.strictObject({
        headerURL: z.nullable(z.string().check(z.maxLength(2000))),
        headerColor: Color,
        accentColor: Color,
        sections: z.array(z.enum(SECTIONS)).check(z.refine(isOrder, 'The list must contain each section once.')),
        featuredId: z.nullable(ProductId),
        links: z.array(SellerLink).check(z.maxLength(MAX_LINKS, `At most ${MAX_LINKS} links`)),
      }),
    ),
  }),
  reply: Storefront,
})
