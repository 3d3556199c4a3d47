import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export const sendHere = endpoint('POST /api/admin/chat/:userId/here', {
  access: 'support',
  about: 'Notifies the pages of colleagues that the caller has this conversation open. Stores nothing.',
  input: z.strictObject({ userId: z.uuid() }),
  reply: z.object({ isDone: z.boolean() }),
})
