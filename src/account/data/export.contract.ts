import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const requestExport = endpoint('POST /api/account/export', {
  access: 'member',
  stepUp: true,
  about: 'Answers a link to everything the shop keeps about the account, and the files it bought, as one ZIP.',
  input: z.strictObject({}),
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})
