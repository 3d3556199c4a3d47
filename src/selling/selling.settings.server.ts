import { z } from 'zod'
import type { Given } from '../kit/config.server.ts'

export const SELLING_SETTINGS = {
  SELLERS_SEE_EMAIL: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on or off: with on, sellers see the email address of a buyer who turned on news and offers'),
}

export type SellingConfig = ReturnType<typeof resolveSelling>

export const resolveSelling = (given: Given<typeof SELLING_SETTINGS>) => ({
  sellersSeeEmail: given.SELLERS_SEE_EMAIL === 'on',
})
