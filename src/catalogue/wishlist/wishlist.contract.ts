import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { Product, ProductId } from '../catalogue.contract.ts'

export const MAX_SAVED = 200

export type Saved = z.infer<typeof Saved>
/** A saved product in its current state, inactive if it is not for sale. Its description has at most 200 characters. */
export const Saved = z.extend(Product, { savedAt: z.string() })

export const listSaved = endpoint('GET /api/wishlist', {
  access: 'member',
  about: 'The products the caller has saved, newest first, also those that have left the shop.',
  reply: z.array(Saved),
})

export const saveProduct = endpoint('PUT /api/wishlist/:id', {
  access: 'member',
  about: 'Saves a product. One that was taken out within the last minute comes back to its place.',
  input: z.strictObject({ id: ProductId }),
  reply: z.object({ isSaved: z.boolean() }),
})

export const unsaveProduct = endpoint('DELETE /api/wishlist/:id', {
  access: 'member',
  about: 'Takes a product out of the wishlist; one that is not in it is no error.',
  input: z.strictObject({ id: ProductId }),
  reply: z.object({ isSaved: z.boolean() }),
})
