import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type PartStatus = z.infer<typeof PartStatus>
/** One part that the shop depends on. 'off': not configured, by choice. 'warn': works but needs attention. */
export const PartStatus = z.object({ name: z.string(), grade: z.enum(['ok', 'warn', 'fail', 'off']) })

export const getStatus = endpoint('GET /api/status', {
  access: 'public',
  about: 'Whether everything the shop depends on works.',
  reply: z.array(PartStatus),
})

export type PartDetails = z.infer<typeof PartDetails>
export const PartDetails = z.object({
  ...PartStatus.shape,
  says: z.string(),
  /** The next step; null if there is none. */
  mend: z.nullable(z.string()),
})

export const getStatusDetails = endpoint('GET /api/admin/status', {
  access: 'admin',
  about: 'The same with figures and the next step for each failing part.',
  reply: z.array(PartDetails),
})
