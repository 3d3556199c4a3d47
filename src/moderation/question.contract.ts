import * as z from 'zod/mini'
import { ProductId } from '../catalogue/catalogue.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { tidy } from '../kit/text.rules.ts'

// A separate file, because the page that edits a product loads it.

export const MAX_WORDS = 1000
export const Words = z.string().check(tidy(), z.maxLength(MAX_WORDS, 'At most 1,000 characters'))
export const Said = Words.check(z.minLength(1, 'Write a few words.'))

export type SellerQuestion = z.infer<typeof SellerQuestion>
export const SellerQuestion = z.object({ question: z.string(), answerBy: z.string(), answer: z.nullable(z.string()) })

export const answerQuestion = endpoint('PUT /api/products/:id/question', {
  access: 'member',
  about: 'Answers what staff asked about a product of the caller, until they decide. A repeat replaces the answer.',
  input: z.strictObject({ id: ProductId, answer: Said }),
  reply: SellerQuestion,
})
