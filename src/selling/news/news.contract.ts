import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const WISHES = ['each', 'daily', 'off'] as const
export type Wish = (typeof WISHES)[number]

export const TOLD = ['sales', 'refunds', 'reviews', 'stock'] as const
export type NewsKind = (typeof TOLD)[number]

export type SellerNews = z.infer<typeof SellerNews>
const SellerNews = z.strictObject({
  sales: z.enum(WISHES),
  refunds: z.enum(WISHES),
  reviews: z.enum(WISHES),
  stock: z.enum(WISHES),
})

export const getSellerNews = endpoint('GET /api/account/seller-news', {
  access: 'member',
  about: 'What the caller hears by mail and push about their sales.',
  reply: SellerNews,
})

export const setSellerNews = endpoint('PUT /api/account/seller-news', {
  access: 'member',
  about: 'Chooses what the caller hears about their sales: each event, a digest of the day, or nothing.',
  input: SellerNews,
  reply: SellerNews,
})
