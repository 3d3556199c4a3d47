import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

const [From, Subject, Text] = [400, 1000, 5_000_000].map((most) => z.string().check(z.maxLength(most))) as [
  z.ZodMiniString,
  z.ZodMiniString,
  z.ZodMiniString,
]
const MessageId = z.string().check(z.minLength(1), z.maxLength(200))
const Mail = z.object({ from: From, subject: Subject, text: Text, messageId: MessageId })
const PostmarkMail = z.object({ From, Subject, TextBody: Text, MessageID: MessageId })
export type MailIn = z.infer<typeof Mail> | z.infer<typeof PostmarkMail>

export const receiveMail = endpoint('POST /api/chat/mail', {
  access: 'token',
  about:
    'A reply of a customer by mail, sent by the mail service, in this form or in that of Postmark, with MAIL_INBOUND_TOKEN as bearer or as the password of its URL. The subject carries the token of the conversation, and the sender must be its customer. Anything else is answered with `isTaken: false` and forgotten.',
  input: z.union([Mail, PostmarkMail]),
  reply: z.object({ isTaken: z.boolean() }),
})
