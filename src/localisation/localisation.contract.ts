import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export type Location = z.infer<typeof Location>
/** Where a visitor is. Only the country is looked up; city and address stay empty. */
export const Location = z.object({
  country_code: z.string(),
  country_name: z.string(),
  city: z.string(),
  ip: z.string(),
  /** False when nobody could tell: then it is the United States, and says nothing about where somebody is. */
  isKnown: z.optional(z.boolean()),
})

export const getLocation = endpoint('GET /api/localisation/location', {
  access: 'public',
  about: "The visitor's country; the United States when it cannot be told.",
  input: z.strictObject({}),
  reply: Location,
})

export type Rates = z.infer<typeof Rates>
/**
 * What one US dollar is worth, by currency; `updatedAt` is when rates were last fetched, null when there are none.
 * `readAt` is when each was read: one that was not told then is older.
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
  input: z.strictObject({}),
  reply: Rates,
})
