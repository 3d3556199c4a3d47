import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

/** Days in which a sign-in cancels the deletion. */
export const GRACE_DAYS = 14

export const requestDeletion = endpoint('POST /api/account/deletion', {
  access: 'member',
  stepUp: true,
  about: `Mails a link that deletes the account, ${GRACE_DAYS} days after it is opened; signing in keeps it.`,
  reply: z.object({ sentTo: z.string() }),
  status: 202,
})
