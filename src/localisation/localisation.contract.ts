import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type Location = z.infer<typeof Location>
/** The location of a visitor. `city` is empty if unknown; `ip` is the visitor's own address. */
export const Location = z.object({
  country_code: z.string(),
  country_name: z.string(),
  city: z.string(),
  ip: z.string(),
  /** False if the lookup failed. The location is then the default, the United States. */
  isKnown: z.optional(z.boolean()),
})

export const getLocation = endpoint('GET /api/localisation/location', {
  access: 'public',
  about: "The visitor's place and address; the United States when the lookup fails.",
  reply: Location,
})

export type Rates = z.infer<typeof Rates>
/**
 * The value of one US dollar by currency. `updatedAt` is the time of the rate service's last response, null without
 * rates. `readAt` has the time of each rate, which is older if the last response did not contain the rate.
 */
export const Rates = z.object({
  base: z.literal('USD'),
  rates: z.record(z.string(), z.number()),
  updatedAt: z.nullable(z.string()),
  readAt: z.optional(z.record(z.string(), z.string())),
})

export const getRates = endpoint('GET /api/localisation/rates', {
  access: 'public',
  about: 'Exchange rates, read hourly and each at most seven days old; without any, the dollar alone.',
  reply: Rates,
})
