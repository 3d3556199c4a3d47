import { z } from 'zod'
import type { Given } from '../kit/config.server.ts'
import { operatorFailure } from '../kit/failure.ts'

const secret = (what: string) => z.string().min(32).optional().describe(`at least 32 characters; ${what}`)

export const DELIVERY_SETTINGS = {
  CODES_SECRET: secret('SECRET when left out'),
  FORMER_CODES_SECRET: secret('what sealed the codes before, until `shop -- codes rotate` has sealed them again'),
  SUPPLIER_URL: z
    .url()
    .optional()
    .describe('the address of the supplier of codes on demand, such as https://api.supplier.example'),
  SUPPLIER_TOKEN: z.string().min(16).optional().describe('at least 16 characters; what the supplier knows the shop by'),
  SUPPLY_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1440)
    .default(30)
    .describe('1 to 1440; so long the shop asks the supplier before it returns the money'),
  LOST_CODES: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on or off: with on, the shop starts with codes whose secret is lost, and withdraws those for sale'),
  CODE_CASE_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(720)
    .default(48)
    .describe('1 to 720; so long a seller has to answer a report of a bad code'),
}

export type CodeSecrets = { codesSecret: string | undefined; formerCodesSecret: string | undefined }

export type DeliveryConfig = CodeSecrets & {
  hasLostCodes: boolean
  codeCaseHours: number
  supplyMinutes: number
  supplier: { url: string; token: string } | undefined
}

export const resolveDelivery = (given: Given<typeof DELIVERY_SETTINGS>): DeliveryConfig => ({
  hasLostCodes: given.LOST_CODES === 'on',
  supplyMinutes: given.SUPPLY_MINUTES,
  supplier: supplierOf(given),
  codeCaseHours: given.CODE_CASE_HOURS,
  codesSecret: given.CODES_SECRET,
  formerCodesSecret: given.FORMER_CODES_SECRET,
})

function supplierOf(given: Given<typeof DELIVERY_SETTINGS>): DeliveryConfig['supplier'] {
  const { SUPPLIER_URL: url, SUPPLIER_TOKEN: token } = given
  if (!url && !token) return undefined
  if (!url) throw operatorFailure('SUPPLIER_URL: give it with SUPPLIER_TOKEN.')
  if (!token) throw operatorFailure('SUPPLIER_TOKEN: give it with SUPPLIER_URL.')
  if (!url.startsWith('https://')) throw operatorFailure('SUPPLIER_URL: give an address that begins with https://.')
  return { url, token }
}
