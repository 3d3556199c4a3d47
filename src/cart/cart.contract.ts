import * as z from 'zod/mini'
import { CategoryId, ProductId } from '../catalogue/catalogue.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { DECIMAL } from '../kit/money.ts'

/** A technical limit. */
export const MAX_QUANTITY = 9999
export const MAX_CART_LINES = 200
export const Price = z.string().check(z.regex(DECIMAL))
export const Quantity = z.number().check(z.int(), z.minimum(1), z.maximum(MAX_QUANTITY))

export const DISCOUNT_PROBLEMS = ['used_up', 'spent', 'not_first', 'ended', 'paused', 'planned'] as const
export type DiscountProblem = (typeof DISCOUNT_PROBLEMS)[number]

export type CartItem = z.infer<typeof CartItem>
export const CartItem = z.object({
  id: z.uuid(),
  productId: ProductId,
  quantity: Quantity,
  /** Determines the position of the line: the oldest line comes first. */
  addedAt: z.optional(z.string()),
  product: z.object({
    /** The price of a copy. If buyers choose the price, the chosen price. */
    price: z.string(),
    title: z.string(),
    description: z.nullable(z.string()),
    imageUrl: z.nullable(z.string()),
    /** The product whose cover replaces a missing image. Absent or null: the product itself. */
    coverId: z.optional(z.nullable(z.string())),
    categoryId: CategoryId,
    isActive: z.boolean(),
    /** If the line is not on sale: the product on whose page the buyer can choose another variant. */
    choiceId: z.optional(z.nullable(ProductId)),
    /** The suggested price if buyers choose the price. Null for a fixed price. */
    suggested: z.optional(z.nullable(z.string())),
    /** The minimum price of a copy, also with discount codes. */
    least: z.optional(z.string()),
    /** The price at the time when the line was added, if it has changed. */
    wasPrice: z.optional(z.nullable(z.string())),
    /** The titles of the products in a bundle. Null for other goods. */
    parts: z.optional(z.nullable(z.array(z.string()))),
    /** Products in the bundle of which a buyer needs only one copy. */
    onceIds: z.optional(z.nullable(z.array(z.uuid()))),
    /** False for a bundle with a part that earns no bonus. */
    earns: z.optional(z.boolean()),
    isOneEnough: z.optional(z.boolean()),
    /** Titles of the product or bundle parts that the shopper already owns. A further copy is a gift. */
    owned: z.optional(z.nullable(z.array(z.string()))),
    isOwn: z.optional(z.boolean()),
    isCash: z.optional(z.boolean()),
  }),
  /** The code that fits the line: a percentage, or an amount off all fitting lines. Has no effect with a `problem`. */
  discount: z.optional(
    z.nullable(
      z.object({
        id: z.uuid(),
        code: z.string(),
        percent: z.nullable(z.number()),
        amount: z.nullable(z.string()),
        problem: z.nullable(z.enum(DISCOUNT_PROBLEMS)),
      }),
    ),
  ),
})

const Cart = z.array(CartItem)

export const getCart = endpoint('GET /api/cart', {
  access: 'member',
  about: 'The cart, oldest line first.',
  reply: Cart,
})

export const addToCart = endpoint('POST /api/cart', {
  access: 'member',
  about:
    'Adds a product, or a variant by its own id: 409 `variant_missing` for a product that is sold by variants. An existing line grows by the quantity. `price` is the price of a copy that the buyer chooses, if the seller allows that. Without `price`, an existing line retains its price and a new line gets the suggested price. `addedAt` restores the position of a removed line. Returns the whole cart.',
  input: z.strictObject({
    productId: ProductId,
    quantity: Quantity,
    price: z.optional(Price),
    addedAt: z.optional(z.iso.datetime()),
  }),
  reply: Cart,
})

export const setCartQuantity = endpoint('PUT /api/cart/:id', {
  access: 'member',
  about:
    "Sets a line's quantity, and with `price` what the buyer chooses to pay for a copy: 409 `under_minimum` below what the seller asks. Answers the whole cart.",
  input: z.strictObject({ id: z.uuid(), quantity: Quantity, price: z.optional(Price) }),
  reply: Cart,
})

export const removeFromCart = endpoint('DELETE /api/cart/:id', {
  access: 'member',
  about: 'Removes one line. Answers the whole cart.',
  input: z.strictObject({ id: z.uuid() }),
  reply: Cart,
})

export const clearCart = endpoint('DELETE /api/cart', {
  access: 'member',
  about: 'Removes every line. Answers the empty cart.',
  reply: Cart,
})
