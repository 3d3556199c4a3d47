import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { ORDER_STATUSES } from '../../orders/states.rules.ts'
import { MAX_MESSAGE_LENGTH, tooLong } from './chat.rules.ts'

export const MessageText = z
  .string()
  .check(
    tidy(),
    z.minLength(1, 'Write something first.'),
    z.maxLength(MAX_MESSAGE_LENGTH, { error: ({ input }) => tooLong(String(input)) ?? '' }),
  )

export const ArticleLink = z.object({ slug: z.string(), title: z.string() })
export type ArticleLink = z.infer<typeof ArticleLink>

const ProductLink = z.object({
  id: z.uuid(),
  title: z.string(),
  price: z.string(),
  /** As in `Product`: set if buyers choose the price, or if a variant costs more. */
  suggested: z.nullable(z.string()),
  most: z.nullable(z.string()),
  categoryId: z.string(),
  category: z.string(),
  imageUrl: z.nullable(z.string()),
})
export type ProductLink = z.infer<typeof ProductLink>

const OrderLink = z.object({
  id: z.uuid(),
  status: z.enum(ORDER_STATUSES),
  total: z.string(),
  createdAt: z.string(),
  items: z.number(),
  opens: z.nullable(z.enum(['code', 'file'])),
})
export type OrderLink = z.infer<typeof OrderLink>

export type ChatMessage = z.infer<typeof ChatMessage>
/** A message without either flag is from the assistant. */
export const ChatMessage = z.object({
  id: z.uuid(),
  message: z.string(),
  isFromUser: z.boolean(),
  isFromAdmin: z.boolean(),
  staffName: z.nullable(z.string()),
  articles: z.array(ArticleLink),
  products: z.array(ProductLink),
  orders: z.array(OrderLink),
  /** The assistant does not know the answer, or offers a person for another reason. */
  isUnsure: z.boolean(),
  offersPerson: z.boolean(),
  isStopped: z.boolean(),
  /** The customer wrote it as a reply to a mail. */
  isByMail: z.boolean(),
  /** The customer's rating of an answer: 1 helpful, -1 not helpful. */
  rating: z.nullable(z.number()),
  createdAt: z.string(),
})

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
    /** False in a store where only people answer. */
    hasAssistant: z.boolean(),
    text: z.string(),
    newestId: z.nullable(z.uuid()),
    hasReply: z.boolean(),
    /** The newest question while its answer is in progress, failed or stopped. */
    answering: z.nullable(z.object({ questionId: z.uuid(), state: z.enum(['working', 'failed', 'stopped']) })),
    isWithPerson: z.boolean(),
    /** Staff are viewing the inbox, or answered a few minutes ago. */
    isPersonHere: z.boolean(),
    /** When staff answer: 'A person is here now', or the next working hours. */
    personText: z.string(),
    /** Staff resolved the conversation, and the customer has not rated it. */
    asksScore: z.boolean(),
  }),
})

const Done = z.object({ isDone: z.boolean() })

export const sendTyping = endpoint('POST /api/chat/typing', {
  access: 'member',
  about: 'Tells staff that the caller types, while a person answers the conversation. Nothing is stored.',
  reply: Done,
})

const OneQuestion = z.strictObject({ questionId: z.uuid() })

/** Server-sent events: `{"text"}` is the answer so far, `{"doing"}` the running tool, `{"isDone": true}` the end. */
export const ANSWER_LINE = 'GET /api/chat/answers/:id'

export const stopAnswer = endpoint('POST /api/chat/stop', {
  access: 'member',
  about: 'Stops the answer to a question of the caller. What was written stays.',
  input: OneQuestion,
  reply: Done,
})

export const retryAnswer = endpoint('POST /api/chat/retry', {
  access: 'member',
  about: 'Answers a question of the caller again whose answer failed or was stopped.',
  input: OneQuestion,
  reply: Done,
})

export const MAX_REASON_LENGTH = 500
export const rateAnswer = endpoint('POST /api/chat/rate', {
  access: 'member',
  about: 'Says if an answer of the assistant helped (1) or not (-1), with a reason; null takes it back.',
  input: z.strictObject({
    messageId: z.uuid(),
    rating: z.nullable(z.union([z.literal(1), z.literal(-1)])),
    reason: z.optional(z.string().check(tidy(), z.maxLength(MAX_REASON_LENGTH))),
  }),
  reply: z.object({ rating: z.nullable(z.number()) }),
})

export const askForPerson = endpoint('POST /api/chat/person', {
  access: 'member',
  about: 'Hands the conversation to staff, or back to the assistant.',
  input: z.strictObject({ isWanted: z.boolean() }),
  reply: z.object({ isWithPerson: z.boolean() }),
})

export const scoreConversation = endpoint('POST /api/chat/score', {
  access: 'member',
  about: 'Says how satisfied the caller is with a settled conversation, 1 to 5.',
  input: z.strictObject({ score: z.int().check(z.minimum(1), z.maximum(5)) }),
  reply: Done,
})
