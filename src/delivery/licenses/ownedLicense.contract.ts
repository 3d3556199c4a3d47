import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'

/** 'frozen': a dispute or a refund is open. 'ended': refunded. */
export const LICENSE_STATES = ['active', 'expired', 'revoked', 'frozen', 'ended'] as const
export type LicenseState = (typeof LICENSE_STATES)[number]

export type LicenseDevice = z.infer<typeof LicenseDevice>
const LicenseDevice = z.object({
  id: z.uuid(),
  name: z.string(),
  activatedAt: z.string(),
  seenAt: z.string(),
  fileUntil: z.nullable(z.string()),
  /** Removed with a valid licence file: the place is free when the file expires. */
  isRemoved: z.boolean(),
})

export type OwnedLicense = z.infer<typeof OwnedLicense>
const OwnedLicense = z.object({
  masked: z.string(),
  state: z.enum(LICENSE_STATES),
  seats: z.number(),
  limit: z.number(),
  expiresAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  devices: z.array(LicenseDevice),
})

const Line = z.strictObject({ id: z.uuid(), lineId: z.uuid() })
const Device = z.extend(Line, { deviceId: z.uuid() })

export const getLicense = endpoint('GET /api/orders/:id/lines/:lineId/license', {
  access: 'member',
  about: 'The licence of a line of the caller, with its devices. The key is masked.',
  input: Line,
  reply: OwnedLicense,
})

export const revealLicense = endpoint('POST /api/orders/:id/lines/:lineId/license/reveal', {
  access: 'member',
  stepUp: true,
  about: 'Returns the licence key. Each call is recorded.',
  input: Line,
  reply: z.object({ key: z.string() }),
})

const DeviceCode = z
  .string()
  .check(
    z.trim(),
    z.minLength(8, 'The code has at least 8 characters.'),
    z.maxLength(200),
    z.regex(/^[\x21-\x7e]+$/, 'Copy the code as the software shows it, without spaces.'),
  )

export const addDevice = endpoint('POST /api/orders/:id/lines/:lineId/license/devices', {
  access: 'member',
  about: 'Activates the key for a device without internet, by the fingerprint that the software shows.',
  input: z.extend(Line, { fingerprint: DeviceCode, name: oneLine().check(z.maxLength(100)) }),
  reply: OwnedLicense,
  status: 201,
})

export const removeDevice = endpoint('DELETE /api/orders/:id/lines/:lineId/license/devices/:deviceId', {
  access: 'member',
  about: 'Frees the place of a device, at once or when its licence file ends.',
  input: Device,
  reply: OwnedLicense,
})

export const makeLicenseFile = endpoint('POST /api/orders/:id/lines/:lineId/license/devices/:deviceId/file', {
  access: 'member',
  about:
    'The signed licence file of a device, which software checks without internet. It ends after 90 days, or with the key.',
  input: Device,
  reply: z.object({ fileName: z.string(), text: z.string() }),
})
