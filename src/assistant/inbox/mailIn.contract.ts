import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const receiveMail = endpoint('POST /api/chat/mail', {
  access: 'token',
  about:
    'A reply of a customer by mail, sent by the mail service with MAIL_INBOUND_TOKEN as bearer. The subject carries the token of the conversation, and the sender must be its customer. Anything else is answered with `isTaken: false` and forgotten.',
  input: z.object({
    from: z.string().check(z.maxLength(400)),
    subject: z.string().check(z.maxLength(1000)),
    text: z.string().check(z.maxLength(50_000)),
    messageId: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  reply: z.object({ isTaken: z.boolean() }),
})
