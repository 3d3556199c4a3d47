import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

export const viewProduct = endpoint('POST /api/products/:id/views', {
  access: 'member',
  about: "Counts that the caller looks at a product's page: once a day, and never the seller's own look.",
  input: z.strictObject({ id: ProductId }),
  reply: z.object({}),
  status: 202,
})
