import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { LONGEST_MESSAGE, tooLong } from './chat.rules.ts'

export const MessageText = z
  .string()
  .check(
    tidy(),
    z.minLength(1, 'Write something first.'),
    z.maxLength(LONGEST_MESSAGE, { error: ({ input }) => tooLong(String(input)) ?? '' }),
  )

export const ArticleLink = z.object({ slug: z.string(), title: z.string() })
export type ArticleLink = z.infer<typeof ArticleLink>

const ProductLink = z.object({ id: z.uuid(), title: z.string(), price: z.string() })

export type ChatMessage = z.infer<typeof ChatMessage>
/** A message with neither flag is the assistant's. */
export const ChatMessage = z.object({
  id: z.uuid(),
  message: z.string(),
  isFromUser: z.boolean(),
  isFromAdmin: z.boolean(),
  /** First name of the staff member who wrote the message. */
  staffName: z.nullable(z.string()),
  articles: z.array(ArticleLink),
  products: z.array(ProductLink),
  createdAt: z.string(),
})

/** The limit of one response; it keeps the newest messages. */
export const MANY_MESSAGES = 200

export const getChat = endpoint('GET /api/chat', {
  access: 'member',
  about: `The caller's conversation with the store, oldest first: the last ${MANY_MESSAGES} messages.`,
  reply: z.array(ChatMessage),
})

export const sendChat = endpoint('POST /api/chat', {
  access: 'member',
  about: 'Sends a message to the store. An `Idempotency-Key` header stores a repeated message once.',
  input: z.strictObject({ message: MessageText }),
  reply: ChatMessage,
  status: 201,
})

export const getChatStatus = endpoint('GET /api/chat/status', {
  access: 'public',
  about:
    'Shows if staff are online, when they usually answer, the newest message, and if it is an unread reply of staff.',
  reply: z.object({
    isOnline: z.boolean(),
    text: z.string(),
    newestId: z.nullable(z.uuid()),
    hasReply: z.boolean(),
  }),
})
