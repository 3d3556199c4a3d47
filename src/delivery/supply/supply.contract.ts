import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'

export type Supply = z.infer<typeof Supply>
export const Supply = z.object({
  productId: ProductId,
  title: z.string(),
  sku: z.string(),
  minutes: z.number(),
  waiting: z.number(),
})

export const listSupplies = endpoint('GET /api/admin/supply', {
  access: 'admin',
  about: 'The products whose codes the supplier makes, by title. `hasSupplier` is false while none is set up.',
  reply: z.object({ hasSupplier: z.boolean(), minutes: z.number(), supplies: z.array(Supply) }),
})

export const setSupply = endpoint('PUT /api/admin/products/:id/supply', {
  access: 'admin',
  stepUp: true,
  about:
    'Says by which name the supplier makes the codes of a product when they are sold; null: they come from the stock. `minutes` is how long the shop asks before it returns the money.',
  input: z.strictObject({
    id: ProductId,
    sku: z.nullable(oneLine().check(z.minLength(1), z.maxLength(100))),
    minutes: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(1440))),
  }),
  reply: z.object({ sku: z.nullable(z.string()) }),
})
