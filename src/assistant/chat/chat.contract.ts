import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { LONGEST_MESSAGE, tooLong } from './chat.rules.ts'

/** What somebody writes: more than spaces, and not more than the form takes. */
export const MessageText = z
  .string()
  .check(
    tidy(),
    z.minLength(1, 'Write something first.'),
    z.maxLength(LONGEST_MESSAGE, { error: ({ input }) => tooLong(String(input)) ?? '' }),
  )

export const ArticleLink = z.object({ slug: z.string(), title: z.string() })
export type ArticleLink = z.infer<typeof ArticleLink>

export type ChatMessage = z.infer<typeof ChatMessage>
/** A message with neither flag is the assistant's. */
export const ChatMessage = z.object({
  id: z.uuid(),
  message: z.string(),
  isFromUser: z.boolean(),
  isFromAdmin: z.boolean(),
  /** The first name of the person from support who wrote it. */
  staffName: z.nullable(z.string()),
  /** Help articles that the assistant names. */
  articles: z.array(ArticleLink),
  createdAt: z.string(),
})

/** How many messages one call brings, the newest. */
export const MANY_MESSAGES = 200

export const getChat = endpoint('GET /api/chat', {
  access: 'member',
  about: `The caller's conversation with the store, oldest first: the last ${MANY_MESSAGES} messages.`,
  input: z.strictObject({}),
  reply: z.array(ChatMessage),
})

export const sendChat = endpoint('POST /api/chat', {
  access: 'member',
  about: 'Writes to the store. With an `Idempotency-Key` header a message that is sent twice is kept once.',
  input: z.strictObject({ message: MessageText }),
  reply: ChatMessage,
  status: 201,
})

export const getChatStatus = endpoint('GET /api/chat/status', {
  access: 'public',
  about: 'Whether a person is there to answer, in a few words when one does otherwise, and the newest message.',
  input: z.strictObject({}),
  reply: z.object({ isOnline: z.boolean(), text: z.string(), newestId: z.nullable(z.uuid()) }),
})
