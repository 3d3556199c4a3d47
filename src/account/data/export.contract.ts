import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const requestExport = endpoint('POST /api/account/export', {
  access: 'member',
  stepUp: true,
  about: 'Returns a link to a ZIP with all data of the account and the files it bought.',
  reply: z.object({ url: z.string(), expiresAt: z.string() }),
})
