import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const GUIDE_SETTINGS = [
  'CRYPTO_XPUB',
  'CRYPTO_RPC_URLS',
  'CRYPTO_CHAIN',
  'CRYPTO_TOKEN',
  'CRYPTO_CONFIRMATIONS',
] as const
export type GuideSetting = (typeof GUIDE_SETTINGS)[number]

const typed = z.optional(z.string().check(z.trim(), z.maxLength(2000)))

export type Guide = z.infer<typeof Guide>
export const Guide = z.object({
  isConfigured: z.boolean(),
  checks: z.array(
    z.object({ name: z.enum(GUIDE_SETTINGS), state: z.enum(['ok', 'bad', 'missing']), says: z.string() }),
  ),
  /** The wallet's first address. The operator compares it with the wallet. */
  firstAddress: z.nullable(z.string()),
  test: z.nullable(
    z.object({
      address: z.string(),
      network: z.string(),
      uri: z.string(),
      amount: z.string(),
      received: z.string(),
      isConfirmed: z.boolean(),
    }),
  ),
})

export const checkUsdc = endpoint('POST /api/payments/usdc/check', {
  access: 'admin',
  about:
    'Checks the settings for USDC: those of the call, without any those that the shop runs with. Stores nothing but the watch for a test payment.',
  input: z.strictObject({
    CRYPTO_XPUB: typed,
    CRYPTO_RPC_URLS: typed,
    CRYPTO_CHAIN: typed,
    CRYPTO_TOKEN: typed,
    CRYPTO_CONFIRMATIONS: typed,
  }),
  reply: Guide,
})
