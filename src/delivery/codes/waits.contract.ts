import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

const One = z.strictObject({ id: ProductId })
const Wait = z.object({ isWaiting: z.boolean() })

export const MAX_WAITS = 200

export const getWait = endpoint('GET /api/products/:id/wait', {
  access: 'member',
  about: 'Whether the caller hears when a product that has sold out is back.',
  input: One,
  reply: Wait,
})

export const startWait = endpoint('PUT /api/products/:id/wait', {
  access: 'member',
  about: 'Tells the caller once when a product that has sold out is back. 409 `in_stock` while it can be bought.',
  input: One,
  reply: Wait,
})

export const endWait = endpoint('DELETE /api/products/:id/wait', {
  access: 'member',
  about: 'Ends such a wish; without one it is no error.',
  input: One,
  reply: Wait,
})
