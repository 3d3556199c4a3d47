import { z } from 'zod'
import { address, type Given } from '../kit/config.server.ts'

export const LOCALISATION_SETTINGS = {
  GEO_URL: address
    .refine((url) => url.includes('{ip}'))
    .optional()
    .describe('an address that holds {ip} and answers JSON with country_code'),
  GEO_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z-]{1,60}$/)
    .optional()
    .describe("a header of the proxy that holds the visitor's country, such as CF-IPCountry"),
  RATES_URL: address.optional().describe('an address that answers JSON with rates for one US dollar'),
}

export type LocalisationConfig = ReturnType<typeof resolveLocalisation>

export const resolveLocalisation = (given: Given<typeof LOCALISATION_SETTINGS>) => ({
  geoUrl: given.GEO_URL,
  geoHeader: given.GEO_HEADER?.toLowerCase(),
  ratesUrl: given.RATES_URL,
})
