import * as z from 'zod/mini'
import { AskedProduct } from '../catalogue/add-product/newProduct.contract.ts'
import { FEWEST_PARTS, MAX_PARTS } from '../catalogue/bundles/split.rules.ts'
import { BundlePart, Product, ProductId } from '../catalogue/catalogue.contract.ts'
import { KINDS } from '../catalogue/kinds.rules.ts'
import { MAX_NAME_LENGTH, MAX_VARIANTS } from '../catalogue/variants/variants.rules.ts'
import { endpoint } from '../kit/contract.ts'
import { tidy } from '../kit/text.rules.ts'
import { SellerQuestion } from '../moderation/question.contract.ts'

/** `incomplete` goes on sale with its first file or codes. `draft` was never on sale. Staff took `stopped` off sale. */
export const STATUSES = ['listed', 'incomplete', 'draft', 'withdrawn', 'stopped'] as const
export type Status = (typeof STATUSES)[number]

export const OWN_SORTS = ['newest', 'sales', 'views', 'rating', 'price', 'stock', 'title'] as const
export type OwnSort = (typeof OWN_SORTS)[number]

export type OwnProduct = z.infer<typeof OwnProduct>
/** A product as its seller sees it in the list. Its description is cut to 200 characters. */
export const OwnProduct = z.extend(Product, {
  status: z.enum(STATUSES),
  createdAt: z.string(),
  withdrawnAt: z.nullable(z.string()),
  delivery: z.enum(KINDS),
  /** Unsold codes; null for goods with unlimited stock. */
  stock: z.nullable(z.number()),
  /** Includes refunded sales and excludes the seller's own purchases. */
  sales: z.number(),
  /** Views by other members in the last 30 days. */
  views: z.number(),
})

export const MANY_OWN = 60
export const MAX_CHOSEN = 200

export const listOwnProducts = endpoint('GET /api/account/products', {
  access: 'member',
  about:
    'The products the caller sells, also those that are not listed. A search reads titles and file names. `X-Total-Count` counts the whole result, `Link: rel="next"` leads on.',
  input: z.strictObject({
    q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    status: z.optional(z.enum(STATUSES)),
    sort: z.optional(z.enum(OWN_SORTS)),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
    after: z.optional(z.string().check(z.maxLength(1500))),
  }),
  reply: z.array(OwnProduct),
})

const Chosen = z.strictObject({ ids: z.array(ProductId).check(z.minLength(1), z.maxLength(MAX_CHOSEN)) })
/** `refused`: products that cannot go on sale because they have no file or codes. */
const Moved = z.object({ changed: z.array(ProductId), refused: z.array(ProductId) })

export const withdrawMany = endpoint('POST /api/products/withdraw', {
  access: 'member',
  about: 'Takes products of the caller off sale. Buyers keep what they bought.',
  input: Chosen,
  reply: Moved,
})

export const relistMany = endpoint('POST /api/products/relist', {
  access: 'member',
  about: 'Puts withdrawn products and drafts of the caller on sale, except those without their file or codes.',
  input: Chosen,
  reply: Moved,
})

const unique = z.refine<string[]>((ids) => new Set(ids).size === ids.length, 'Name each product once')

const One = z.strictObject({ id: ProductId })

export const withdrawProduct = endpoint('POST /api/products/:id/withdraw', {
  access: 'member',
  about: 'Takes a product of the caller off sale. Buyers keep what they bought.',
  input: One,
  reply: Moved,
})

export const relistProduct = endpoint('POST /api/products/:id/relist', {
  access: 'member',
  about: 'Puts a withdrawn product or a draft of the caller on sale.',
  input: One,
  reply: Moved,
})

export const removeProduct = endpoint('DELETE /api/products/:id', {
  access: 'member',
  about: 'Deletes a product of the caller. One that an order, a review or a cart names is archived instead.',
  input: One,
  reply: z.object({ outcome: z.enum(['deleted', 'archived']) }),
})

export type OwnFile = z.infer<typeof OwnFile>
/** A file on sale. `isChecked`: its content matches its file extension. */
export const OwnFile = z.object({
  id: z.uuid(),
  name: z.string(),
  sizeBytes: z.number(),
  addedAt: z.string(),
  isChecked: z.boolean(),
  /** The file is a program: an .exe, or an archive that contains one. */
  isProgram: z.boolean(),
  isPdf: z.boolean(),
})

export type OwnVariant = z.infer<typeof OwnVariant>
export const OwnVariant = z.object({
  id: ProductId,
  name: z.string(),
  price: z.string(),
  isActive: z.boolean(),
  /** The product is on sale, and the variant has its goods. */
  isOnSale: z.boolean(),
  stock: z.nullable(z.number()),
  sales: z.number(),
  /** Cannot be deleted, because it was sold, has codes or is in a bundle. */
  isKept: z.boolean(),
})

export type OwnPart = z.infer<typeof OwnPart>
export const OwnPart = z.extend(BundlePart, { isOnSale: z.boolean() })

export type OwnDetail = z.infer<typeof OwnDetail>
/** All fields that the seller edits. An edit sends `version`, so that the server detects conflicting edits. */
export const OwnDetail = z.extend(OwnProduct, {
  version: z.number(),
  /** An order contains the product, so its kind cannot change. */
  isSold: z.boolean(),
  isTakenDown: z.boolean(),
  updatedAt: z.string(),
  /** Buyers get PDFs with their mail address on each page. */
  stampsPdf: z.boolean(),
  files: z.array(OwnFile),
  variants: z.array(OwnVariant),
  bundles: z.array(z.object({ id: ProductId, title: z.string() })),
  parts: z.array(OwnPart),
  /** The product on whose page this variant is sold; null for a product. */
  variantOf: z.nullable(z.object({ id: ProductId, title: z.string(), name: z.string() })),
  asked: z.nullable(SellerQuestion),
})

export const getOwnProduct = endpoint('GET /api/account/products/:id', {
  access: 'member',
  about: 'One product the caller sells, to edit it.',
  input: One,
  reply: OwnDetail,
})

export const editProduct = endpoint('PUT /api/products/:id', {
  access: 'member',
  about:
    'Changes a product of the caller. `version` is the one that was edited; 409 `changed` if another edit was saved since. `imageURL` is an upload of the caller, null for none; without it the image stays. A `price` of 0 makes a file free. `suggested` lets buyers choose the price, with `price` as the least; without it the price is fixed.',
  input: z.extend(AskedProduct, {
    id: ProductId,
    version: z.number().check(z.int(), z.minimum(1)),
    imageURL: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
  }),
  reply: OwnDetail,
})

export const changeKind = endpoint('PUT /api/products/:id/kind', {
  access: 'member',
  about: 'Chooses what a product of the caller sells. 409 `sold` once an order names it.',
  input: z.extend(One, { delivery: z.enum(KINDS) }),
  reply: OwnDetail,
})

export const setStamp = endpoint('PUT /api/products/:id/stamp', {
  access: 'member',
  about:
    'Chooses whether buyers of a product of the caller get PDFs with their mail address on each page. 409 `unstampable` while it has a PDF that cannot carry one.',
  input: z.extend(One, { isOn: z.boolean() }),
  reply: OwnDetail,
})

const Version = z.number().check(z.int(), z.minimum(1))

export const setVariants = endpoint('PUT /api/products/:id/variants', {
  access: 'member',
  about:
    'Sets all variants of a product of the caller in their order: those with an `id` are changed, others are new, and missing ones are deleted. 409 `sold` for a missing one that was sold or has codes. Each has its own codes, terms of licence keys and files; `isActive` takes one off sale.',
  input: z.extend(One, {
    version: Version,
    variants: z
      .array(
        z.strictObject({
          id: z.optional(ProductId),
          name: z.string().check(tidy(), z.maxLength(MAX_NAME_LENGTH)),
          price: z.string().check(z.maxLength(40)),
          isActive: z.boolean(),
        }),
      )
      .check(z.maxLength(MAX_VARIANTS)),
  }),
  reply: OwnDetail,
})

export const setParts = endpoint('PUT /api/products/:id/parts', {
  access: 'member',
  about:
    'Sets what a bundle of the caller holds: other products of theirs, or single variants. The bundle is on sale while all of them are.',
  input: z.extend(One, {
    version: Version,
    partIds: z.array(ProductId).check(z.minLength(FEWEST_PARTS), z.maxLength(MAX_PARTS), unique),
  }),
  reply: OwnDetail,
})

export const listParts = endpoint('GET /api/account/parts', {
  access: 'member',
  about: 'What the caller may put into a bundle: products and variants of theirs, those on sale first. 500 at most.',
  reply: z.array(OwnPart),
})

export const duplicateProduct = endpoint('POST /api/products/:id/duplicate', {
  access: 'member',
  about: 'Copies title, description, price and category of a product of the caller into a draft.',
  input: One,
  reply: OwnDetail,
  status: 201,
})
