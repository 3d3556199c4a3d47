import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

/** How long an account that is to be deleted can still be kept by signing in. */
export const GRACE_DAYS = 14

export const requestDeletion = endpoint('POST /api/account/deletion', {
  access: 'member',
  stepUp: true,
  about: `Mails a link that deletes the account, ${GRACE_DAYS} days after it is opened; signing in keeps it.`,
  input: z.strictObject({}),
  reply: z.object({ sentTo: z.string() }),
  status: 202,
})
