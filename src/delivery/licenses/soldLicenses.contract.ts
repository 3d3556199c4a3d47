import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'
import { LICENSE_STATES } from './ownedLicense.contract.ts'

export const MAX_DEVICES = 100
export const MAX_DAYS = 3650
/** Older versions of the software use their token until the seller revokes it. */
export const MAX_TOKENS = 5

export type LicenseTerms = z.infer<typeof LicenseTerms>
/** `validDays` counts from the purchase. Null: the keys do not expire. */
export const LicenseTerms = z.object({
  prefix: z.string().check(z.regex(/^[A-Z]{2,8}$/, 'Use 2 to 8 capital letters.')),
  devicesPerSeat: z.number().check(z.int(), z.minimum(1), z.maximum(MAX_DEVICES)),
  validDays: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(MAX_DAYS))),
})

export type LicenseToken = z.infer<typeof LicenseToken>
const LicenseToken = z.object({
  id: z.uuid(),
  ending: z.string(),
  createdAt: z.string(),
  /** The day of its last call: '2026-11-23'. */
  usedOn: z.nullable(z.string()),
})

export type LicenseSettings = z.infer<typeof LicenseSettings>
const LicenseSettings = z.extend(LicenseTerms, { tokens: z.array(LicenseToken), isSold: z.boolean() })

export type SoldLicense = z.infer<typeof SoldLicense>
const SoldLicense = z.object({
  id: z.uuid(),
  masked: z.string(),
  orderId: z.uuid(),
  state: z.enum(LICENSE_STATES),
  seats: z.number(),
  devices: z.object({ used: z.number(), limit: z.number() }),
  expiresAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  soldAt: z.string(),
})

export const MANY_LICENSES = 50

const One = z.strictObject({ id: z.uuid() })

export const getLicenseSettings = endpoint('GET /api/products/:id/licenses', {
  access: 'member',
  about: 'The terms of the licence keys of a product of the caller, its tokens, and whether keys were sold.',
  input: One,
  reply: LicenseSettings,
})

export const saveLicenseTerms = endpoint('PUT /api/products/:id/licenses', {
  access: 'member',
  about: 'Changes the terms of licence keys that are sold from now on.',
  input: z.extend(One, LicenseTerms.shape),
  reply: LicenseSettings,
})

export const addLicenseToken = endpoint('POST /api/products/:id/licenses/tokens', {
  access: 'member',
  stepUp: true,
  about: `Makes a token for the software of a product, at most ${MAX_TOKENS}. Only this answer holds it.`,
  input: One,
  reply: z.extend(LicenseSettings, { token: z.string() }),
  status: 201,
})

export const revokeLicenseToken = endpoint('DELETE /api/products/:id/licenses/tokens/:tokenId', {
  access: 'member',
  about: 'Revokes a token at once: software that uses it can no longer check keys.',
  input: z.extend(One, { tokenId: z.uuid() }),
  reply: LicenseSettings,
})

export const findLicenses = endpoint('POST /api/products/:id/licenses/search', {
  access: 'member',
  about: `Keys of a product that were sold, newest first, ${MANY_LICENSES} at a time. \`q\` is an order number or a whole key; \`after\` the last key seen.`,
  input: z.extend(One, {
    q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    after: z.optional(z.uuid()),
  }),
  reply: z.object({ licenses: z.array(SoldLicense), hasMore: z.boolean() }),
})

const Reason = oneLine('Give a reason.').check(z.minLength(1, 'Give a reason.'), z.maxLength(500))
const Decision = z.extend(One, { licenseId: z.uuid(), reason: Reason })

export const revokeLicense = endpoint('POST /api/products/:id/licenses/:licenseId/revoke', {
  access: 'member',
  about: 'Revokes a key that was sold. The buyer hears the reason by mail.',
  input: Decision,
  reply: SoldLicense,
})

export const restoreLicense = endpoint('POST /api/products/:id/licenses/:licenseId/restore', {
  access: 'member',
  about: 'Restores a revoked key. The buyer hears the reason by mail.',
  input: Decision,
  reply: SoldLicense,
})

export const extendLicense = endpoint('POST /api/products/:id/licenses/:licenseId/extend', {
  access: 'member',
  about:
    'Lets a key that was sold work until a later day (to its end in UTC; null: for ever) and on more devices a seat. The buyer hears it by mail. 409 `shorter` for less than the key has.',
  input: z.extend(One, {
    licenseId: z.uuid(),
    until: z.nullable(z.iso.date()),
    devicesPerSeat: LicenseTerms.shape.devicesPerSeat,
  }),
  reply: SoldLicense,
})
