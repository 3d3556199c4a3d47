import { z } from 'zod'
import type { Given } from '../kit/config.server.ts'

export const SELLING_SETTINGS = {
  SELLERS_SEE_EMAIL: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on or off: with on, the page of a sale shows the seller the e-mail address of the buyer'),
}

export type SellingConfig = ReturnType<typeof resolveSelling>

export const resolveSelling = (given: Given<typeof SELLING_SETTINGS>) => ({
  sellersSeeEmail: given.SELLERS_SEE_EMAIL === 'on',
})
