import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const changeEmail = endpoint('POST /api/account/email', {
  access: 'member',
  stepUp: true,
  about: 'Mails a link to another address; opened in this account, it makes that the address of the account.',
  input: z.strictObject({ email: z.string().check(z.maxLength(400)) }),
  reply: z.object({ sentTo: z.string() }),
  status: 202,
})
