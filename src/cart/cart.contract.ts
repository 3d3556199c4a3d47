import * as z from 'zod/mini'
import { CategoryId, ProductId } from '../catalogue/catalogue.contract.ts'
import { endpoint } from '../kit/contract.ts'

/** From 1; the upper bound is technical. */
export const MAX_QUANTITY = 9999
export const MAX_CART_LINES = 200
export const Quantity = z.number().check(z.int(), z.minimum(1), z.maximum(MAX_QUANTITY))

export type CartItem = z.infer<typeof CartItem>
export const CartItem = z.object({
  id: z.uuid(),
  productId: ProductId,
  quantity: Quantity,
  product: z.object({
    price: z.string(),
    title: z.string(),
    description: z.nullable(z.string()),
    imageUrl: z.nullable(z.string()),
    categoryId: CategoryId,
    /** False when the product is no longer for sale; checkout refuses such a line. */
    isActive: z.boolean(),
    /** The price when the product was added, if it has changed since. */
    wasPrice: z.optional(z.nullable(z.string())),
    /** True when every copy is the same file. */
    isFile: z.optional(z.boolean()),
    /** True when the shopper sells it; it earns no bonus. */
    isOwn: z.optional(z.boolean()),
    /** True when it is as good as money. */
    isCash: z.optional(z.boolean()),
  }),
})

const Cart = z.array(CartItem)

export const getCart = endpoint('GET /api/cart', {
  access: 'member',
  about: 'The cart, oldest line first.',
  reply: Cart,
})

export const addToCart = endpoint('POST /api/cart', {
  access: 'member',
  about: 'Adds a product; a line that is there grows by the quantity. Answers the whole cart.',
  input: z.strictObject({ productId: ProductId, quantity: Quantity }),
  reply: Cart,
})

export const setCartQuantity = endpoint('PUT /api/cart/:id', {
  access: 'member',
  about: "Sets a line's quantity. Answers the whole cart.",
  input: z.strictObject({ id: z.uuid(), quantity: Quantity }),
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
