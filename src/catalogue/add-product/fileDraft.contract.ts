import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { NewProduct } from './newProduct.contract.ts'

export const createFileDraft = endpoint('POST /api/products/drafts', {
  access: 'member',
  about:
    'Makes a draft of the caller that sells one upload. A refused file leaves no draft, and a repeated call returns the same draft.',
  input: z.extend(NewProduct, {
    delivery: z.optional(z.enum(['file', 'license'])),
    digitalFileURL: z.string().check(z.maxLength(2000)),
  }),
  reply: z.object({ id: z.uuid() }),
  status: 201,
})
