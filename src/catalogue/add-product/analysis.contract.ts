import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

export type Analysis = z.infer<typeof Analysis>
export const Analysis = z.object({
  category: z.string(),
  suggestedPrice: z.string(),
  lowestPrice: z.string(),
  highestPrice: z.string(),
  products: z.number(),
  nearest: z.array(z.object({ id: z.uuid(), title: z.string(), price: z.string() })),
})

export const analyzeProduct = endpoint('POST /api/products/analyze', {
  access: 'member',
  about: "Category and price for a description, from the shop's own products that are nearest to it; 404 when none is.",
  input: z.strictObject({
    description: z.string().check(tidy(), z.minLength(1, 'Write a description first'), z.maxLength(10_000)),
  }),
  reply: Analysis,
})
