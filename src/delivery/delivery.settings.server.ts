import { z } from 'zod'
import type { Given } from '../kit/config.server.ts'

const secret = (what: string) => z.string().min(32).optional().describe(`at least 32 characters; ${what}`)

export const DELIVERY_SETTINGS = {
  CODES_SECRET: secret('SECRET when left out'),
  FORMER_CODES_SECRET: secret('what sealed the codes before, until `shop -- codes rotate` has sealed them again'),
}

export type CodeSecrets = { codesSecret: string | undefined; formerCodesSecret: string | undefined }

export const resolveDelivery = (given: Given<typeof DELIVERY_SETTINGS>): CodeSecrets => ({
  codesSecret: given.CODES_SECRET,
  formerCodesSecret: given.FORMER_CODES_SECRET,
})
