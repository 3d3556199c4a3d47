import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type BoughtAgain = z.infer<typeof BoughtAgain>
/** `added` counts products in the cart. Titles in `gone` are not for sale; the caller already owns those in `owned`. */
export const BoughtAgain = z.object({ added: z.number(), gone: z.array(z.string()), owned: z.array(z.string()) })

export const buyAgain = endpoint('POST /api/orders/:id/again', {
  access: 'member',
  about:
    "Puts what is still for sale of one of the caller's orders into the cart, at today's prices; a bundle as a whole. A repeat changes nothing. 409 `cart_full` if it does not fit.",
  input: z.strictObject({ id: z.uuid() }),
  reply: BoughtAgain,
})
