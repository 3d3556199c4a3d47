import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'
import { NewProduct } from './add-product/newProduct.contract.ts'

export const ProductId = z.uuid()
export const CategoryId = z.string().check(z.regex(/^[a-z][a-z-]{1,40}$/))

export type Category = z.infer<typeof Category>
export const Category = z.object({ id: CategoryId, name: z.string(), productCount: z.number() })

export type Product = z.infer<typeof Product>
/** A product as everybody sees it. `price` is a decimal string in USD; `imageUrl` is the 640 px WebP or null. */
export const Product = z.object({
  id: ProductId,
  title: z.string(),
  description: z.nullable(z.string()),
  price: z.string(),
  categoryId: CategoryId,
  imageUrl: z.nullable(z.string()),
  isActive: z.boolean(),
})

export type StarCounts = z.infer<typeof StarCounts>
/** How many reviews give one star, two, and so on up to five. */
export const StarCounts = z.array(z.number()).check(z.length(5))

export type ProductDetail = z.infer<typeof ProductDetail>
export const ProductDetail = z.extend(Product, {
  sellerId: z.uuid(),
  sellerName: z.string(),
  createdAt: z.string(),
  /** What is delivered; null for codes and for a product that has no file yet. */
  file: z.nullable(z.object({ name: z.string(), contentType: z.string(), sizeBytes: z.number() })),
  /** False in the answer that everybody shares: there `sellerId` tells. */
  isMine: z.boolean(),
  /** True until a product that is sold as a file has one. */
  isFileMissing: z.boolean(),
  /** Why the product is not in the shop; only its seller sees this. */
  unlistedReason: z.nullable(z.string()),
  /** What buyers gave this product, and the whole store; `samples` of the store's reviews came with the demo store. */
  rating: z.object({ product: StarCounts, store: StarCounts, samples: z.number() }),
})

/** `featured` is the shop's own choice first and then the newest; it is what comes when no sort is asked for. */
export const SORTS = ['featured', 'newest', 'price-asc', 'price-desc', 'title'] as const
export type Sort = (typeof SORTS)[number]

export const listCategories = endpoint('GET /api/categories', {
  access: 'public',
  about: 'All categories in the order of the shop.',
  input: z.strictObject({}),
  reply: z.array(Category),
})

export const listProducts = endpoint('GET /api/products', {
  access: 'public',
  about: 'Listed products; `X-Total-Count` counts the whole result, `Link: rel="next"` leads to the next page.',
  input: z.strictObject({
    categoryId: z.optional(CategoryId),
    q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    sort: z.optional(z.enum(SORTS)),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
    after: z.optional(z.string().check(z.maxLength(1500))),
  }),
  reply: z.array(Product),
})

export const getProduct = endpoint('GET /api/products/:id', {
  access: 'public',
  about: 'One product; its seller also sees why it is not listed.',
  input: z.strictObject({ id: ProductId }),
  reply: ProductDetail,
})

export const createProduct = endpoint('POST /api/products', {
  access: 'member',
  about: 'Adds a product of the caller. It is listed once it has a verified file.',
  input: NewProduct,
  reply: ProductDetail,
  status: 201,
})

export const setProductFiles = endpoint('PUT /api/products/:id/files', {
  access: 'member',
  about: 'Binds uploads that were issued to the caller: an image, a new version of the file, or both.',
  input: z.strictObject({
    id: ProductId,
    imageURL: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
    digitalFileURL: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
  }),
  reply: ProductDetail,
})
