import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'

export const listBreaches = endpoint('GET /api/admin/ledger/breaches', {
  access: 'finance',
  about: 'What the hourly check of orders, payments and the ledger found and is not mended, newest first.',
  reply: z.array(z.object({ id: z.uuid(), rule: z.string(), violation: z.string(), foundAt: z.string() })),
})
