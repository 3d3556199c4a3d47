import * as z from 'zod/mini'
import { endpoint } from '../../../kit/contract.ts'

export const findMeanings = endpoint('POST /api/chat/meanings', {
  access: 'member',
  about:
    'Rates an answer as missed and returns other meanings of its question, best first. The browser can send each of them as a message.',
  input: z.strictObject({ messageId: z.uuid() }),
  reply: z.object({ meanings: z.array(z.string()) }),
})
