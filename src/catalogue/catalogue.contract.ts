import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'
import { tidy } from '../kit/text.rules.ts'
import { AskedProduct } from './add-product/newProduct.contract.ts'
import { handleProblem } from './handle.rules.ts'
import { KINDS } from './kinds.rules.ts'
import { Preview } from './previews/previews.contract.ts'

export const ProductId = z.uuid()
export const CategoryId = z.string().check(z.regex(/^[a-z][a-z-]{1,40}$/))

export const Handle = z.string().check(z.trim(), z.toLowerCase(), ({ value, issues }) => {
  const message = handleProblem(value)
  if (message) issues.push({ code: 'custom', message, input: value })
})

export type Category = z.infer<typeof Category>
/** `icon` is path data in a 24 x 24 square. */
export const Category = z.object({ id: CategoryId, name: z.string(), productCount: z.number(), icon: z.string() })

export type Product = z.infer<typeof Product>
/** The public view of a product. `price` is a decimal string in USD. `imageUrl` is the 640 px WebP or null. */
export const Product = z.object({
  id: ProductId,
  title: z.string(),
  description: z.nullable(z.string()),
  price: z.string(),
  /** The suggested price if buyers choose it; `price` is then the minimum. Null or absent for a fixed price. */
  suggested: z.optional(z.nullable(z.string())),
  /** The highest variant price; `price` is then the lowest. Null or absent without variants. */
  most: z.optional(z.nullable(z.string())),
  kind: z.optional(z.enum(KINDS)),
  categoryId: CategoryId,
  imageUrl: z.nullable(z.string()),
  imageColor: z.optional(z.nullable(z.string())),
  isActive: z.boolean(),
  sellerName: z.string(),
  /** The product's own reviews. `samples` counts demo reviews. Null without a review. */
  rated: z.nullable(z.object({ stars: z.number(), reviews: z.number(), samples: z.number() })),
  /** Visitors can open a part of it before they buy. */
  hasSample: z.optional(z.boolean()),
})

export type StarCounts = z.infer<typeof StarCounts>
/** The numbers of reviews with one to five stars. */
export const StarCounts = z.array(z.number()).check(z.length(5))

export const MAX_FILES = 20

export type Variant = z.infer<typeof Variant>
/** A variant with its own product id. `title` contains the names of product and variant. */
export const Variant = z.object({
  id: ProductId,
  name: z.string(),
  title: z.string(),
  price: z.string(),
  isActive: z.boolean(),
  isOutOfStock: z.boolean(),
  devices: z.optional(z.nullable(z.number())),
})

export type BundlePart = z.infer<typeof BundlePart>
/** A part of a bundle. `price` is its separate price; `id` opens its page. */
export const BundlePart = z.object({
  id: ProductId,
  title: z.string(),
  price: z.string(),
  categoryId: CategoryId,
  imageUrl: z.nullable(z.string()),
  /** The product whose printed cover replaces a missing image. Null: the part's own cover. */
  coverId: z.optional(z.nullable(z.string())),
  kind: z.enum(KINDS),
})

export type LessonSummary = z.infer<typeof LessonSummary>
/** A course before the purchase. `free` is the title of the first lesson that everybody can read. */
export const LessonSummary = z.object({
  count: z.number(),
  free: z.nullable(z.string()),
  /** The lessons that open on a UTC day ('YYYY-MM-DD') or days after the purchase. A day may be over. */
  later: z.array(
    z.object({ title: z.string(), opensOn: z.nullable(z.string()), opensAfterDays: z.nullable(z.number()) }),
  ),
})

export type ProductDetail = z.infer<typeof ProductDetail>
export const ProductDetail = z.extend(Product, {
  createdAt: z.string(),
  isFileMissing: z.boolean(),
  /** No code or lesson is left, or a part of the bundle cannot be bought. */
  isOutOfStock: z.boolean(),
  isTakenDown: z.boolean(),
  /** The reason why the product is not listed. Only its seller gets it. */
  unlistedReason: z.nullable(z.string()),
  sellerId: z.uuid(),
  delivery: z.optional(z.enum(KINDS)),
  hasPreviews: z.optional(z.boolean()),
  samples: z.optional(z.array(Preview)),
  /** Null for other kinds than a course. */
  lessons: z.optional(z.nullable(LessonSummary)),
  /** The devices of one licence key. Null for other kinds, and for a product with variants: each has its own number. */
  devices: z.optional(z.nullable(z.number())),
  /** The slug of the seller's page. Null before the seller had a product on sale. */
  sellerHandle: z.nullable(z.string()),
  /** The delivered file. Null for codes and for a product without a file. */
  file: z.nullable(z.object({ name: z.string(), contentType: z.string(), sizeBytes: z.number() })),
  /** The shop prints the buyer's mail address on each PDF page. */
  stampsPdf: z.optional(z.boolean()),
  moreFiles: z.array(z.string()),
  /** Variants on sale in the seller's order. Empty for a product without variants. */
  variants: z.optional(z.array(Variant)),
  parts: z.optional(z.array(BundlePart)),
  totalBytes: z.number(),
  /** Always false in the shared public response. The browser compares `sellerId`. */
  isMine: z.boolean(),
  /** Ratings of this product and of the whole store, each with its number of demo reviews. */
  rating: z.object({ product: StarCounts, store: StarCounts, samples: z.number(), productSamples: z.number() }),
})

/** `featured`: selected products, then the newest of each category in turn. `popular`: by buyers of 90 days. */
export const SORTS = ['featured', 'popular', 'newest', 'price-asc', 'price-desc', 'rating', 'title'] as const
export type Sort = (typeof SORTS)[number]

export const FREE = 'free'
/** A price range in dollars without its upper bound: '10-25', '4.50-10', '100-', or 'free'. */
export const PriceRange = z.string().check(z.regex(/^(?:free|\d{1,6}(?:\.\d\d)?-(?:\d{1,6}(?:\.\d\d)?)?)$/))

export const listCategories = endpoint('GET /api/categories', {
  access: 'public',
  about: 'All categories in the order of the shop.',
  reply: z.array(Category),
})

/** Maximum counted matches of a search or filter. */
export const MAX_COUNTED = 1_000

export const listProducts = endpoint('GET /api/products', {
  access: 'public',
  about:
    'Listed products; `X-Total-Count` counts the whole result (a search or a filter up to 1,000), `Link: rel="next"` leads to the next page.',
  input: z.strictObject({
    categoryId: z.optional(CategoryId),
    seller: z.optional(Handle),
    q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    sort: z.optional(z.enum(SORTS)),
    price: z.optional(PriceRange),
    stars: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(5))),
    kind: z.optional(z.enum(KINDS)),
    stock: z.optional(z.literal('any')),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
    after: z.optional(z.string().check(z.maxLength(1500))),
  }),
  reply: z.array(Product),
})

/** `words` is the corrected search. Null: no correction matches, and the products share a word with the search. */
export const suggestProducts = endpoint('GET /api/products/suggestions', {
  access: 'public',
  about: 'What a search without a match may have meant.',
  input: z.strictObject({ q: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)) }),
  reply: z.object({ words: z.nullable(z.string()), products: z.array(Product) }),
})

export const getProduct = endpoint('GET /api/products/:id', {
  access: 'public',
  about: 'One product; its seller also sees why it is not listed.',
  input: z.strictObject({ id: ProductId }),
  reply: ProductDetail,
})

export const createProduct = endpoint('POST /api/products', {
  access: 'member',
  about:
    'Adds a product of the caller. It sells what `delivery` says, otherwise what its category says. It is listed once it has a verified file or a code, a draft once it is put on sale. A draft may be free or let buyers choose the price: `suggested` is the price that they are shown, and `price` the least.',
  input: z.extend(AskedProduct, { isDraft: z.optional(z.boolean()), delivery: z.optional(z.enum(KINDS)) }),
  reply: ProductDetail,
  status: 201,
})

export const setProductFiles = endpoint('PUT /api/products/:id/files', {
  access: 'member',
  about:
    'Binds uploads that were issued to the caller: an image, a file, or both. The file becomes a new version of `fileId` (without it, of the first file), or with `isAnother` one more file. `note` notifies earlier buyers of the version. They retain their version and can download the new one. `putsOnSale` then puts a draft of the caller on sale.',
  input: z.strictObject({
    id: ProductId,
    imageURL: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
    digitalFileURL: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
    note: z.optional(z.string().check(tidy(), z.maxLength(1000))),
    fileId: z.optional(z.uuid()),
    isAnother: z.optional(z.boolean()),
    putsOnSale: z.optional(z.boolean()),
  }),
  reply: ProductDetail,
})

export const arrangeFiles = endpoint('PUT /api/products/:id/files/order', {
  access: 'member',
  about:
    'Sets order and names of all files of the caller’s product, and takes one out of the sale with `removedId`. A new name keeps the ending of the old one; a file that was sold keeps its name. Earlier buyers keep what they bought.',
  input: z.strictObject({
    id: ProductId,
    files: z
      .array(z.strictObject({ id: z.uuid(), name: z.string().check(tidy(), z.minLength(1), z.maxLength(200)) }))
      .check(z.minLength(1), z.maxLength(MAX_FILES)),
    removedId: z.optional(z.uuid()),
  }),
  reply: ProductDetail,
})
