import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const requestExport = endpoint('POST /api/account/export', {
  access: 'member',
  stepUp: true,
  about:
    'Returns a link to a ZIP with all data of the account and a list of what it bought. Bought files, codes and keys open in the library.',
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})
