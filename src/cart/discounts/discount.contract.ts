import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { CartItem } from '../cart.contract.ts'

/** Normalizes a typed or pasted code, such as 'save 20', “SAVE-20” or full-width letters. */
const readCode = (typed: string) =>
  typed
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

export const DiscountCode = z
  .string()
  .check(z.maxLength(100), z.overwrite(readCode), z.regex(/^[A-Z0-9]{4,20}$/, 'A code has 4 to 20 letters and digits.'))

const Cart = z.array(CartItem)

export const applyDiscount = endpoint('POST /api/cart/discounts', {
  access: 'member',
  about:
    'Keeps a discount code with the cart, one for each seller. With `productId` the code must fit that product instead of a product of the cart. Answers the whole cart, and the code as it fits.',
  input: z.strictObject({ code: DiscountCode, productId: z.optional(ProductId) }),
  reply: z.object({
    discount: z.object({
      id: z.uuid(),
      code: z.string(),
      percent: z.nullable(z.number()),
      amount: z.nullable(z.string()),
    }),
    cart: Cart,
  }),
})

export const removeDiscount = endpoint('DELETE /api/cart/discounts/:id', {
  access: 'member',
  about: 'Takes a discount code out of the cart. Answers the whole cart.',
  input: z.strictObject({ id: z.uuid() }),
  reply: Cart,
})
