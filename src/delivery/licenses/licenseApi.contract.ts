import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'

// Routes for a seller's software. /openapi.json shows the examples.

const Key = z
  .string()
  .check(z.minLength(1), z.maxLength(100))
  .register(z.globalRegistry, { examples: ['GRID-7K2M9QXD-41TR8W0C-CCAF92C1-XK4DH5NV'] })
export const Fingerprint = z
  .string()
  .check(z.minLength(8), z.maxLength(200), z.regex(/^[\x21-\x7e]+$/, 'Use letters, digits and signs without spaces.'))
  .register(z.globalRegistry, { examples: ['b7f9c1d2-5e0a-4c4b-9a55-0d7f2f6f1a10'] })
const Name = oneLine()
  .check(z.maxLength(100))
  .register(z.globalRegistry, { examples: ['Ada’s laptop'] })

export type License = z.infer<typeof License>
const License = z
  .object({
    productId: z.uuid(),
    variant: z.nullable(z.string()),
    seats: z.number(),
    devices: z.object({ used: z.number(), limit: z.number() }),
    device: z.nullable(z.object({ name: z.string(), activatedAt: z.string() })),
    expiresAt: z.nullable(z.string()),
  })
  .register(z.globalRegistry, {
    examples: [
      {
        ...{
          productId: '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f',
          variant: 'Team',
          seats: 1,
          devices: { used: 2, limit: 3 },
        },
        device: { name: 'Ada’s laptop', activatedAt: '2026-11-23T10:12:00.000Z' },
        expiresAt: '2027-11-23T10:10:00.000Z',
      },
    ],
  })

const REFUSALS =
  'A key that this product cannot use answers 403 `key_refused`, whatever the reason; a key whose time is over 403 `expired`.'

export const validateLicense = endpoint('POST /api/licenses/validate', {
  access: 'token',
  about: `Tells whether a licence key is good, and whether it is activated on the device of \`fingerprint\`. ${REFUSALS}`,
  input: z.strictObject({ key: Key, fingerprint: z.optional(Fingerprint) }),
  reply: License,
})

export const activateLicense = endpoint('POST /api/licenses/activate', {
  access: 'token',
  about: `Activates a licence key on a device. A repeated call for the same device changes its name only. 409 \`limit_reached\` if all devices of the key are in use. ${REFUSALS}`,
  input: z.strictObject({ key: Key, fingerprint: Fingerprint, name: z.optional(Name) }),
  reply: License,
})

export const deactivateLicense = endpoint('POST /api/licenses/deactivate', {
  access: 'token',
  about: `Frees the place of a device, also of one that has none. ${REFUSALS}`,
  input: z.strictObject({ key: Key, fingerprint: Fingerprint }),
  reply: License,
})

export const listLicenseKeys = endpoint('GET /api/licenses/keys', {
  access: 'public',
  about: 'The public keys that verify licence files, as a JSON Web Key Set. A file names its key by `kid`.',
  reply: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
      }),
    ),
  }),
})
