import * as z from 'zod/mini'
import { endpoint } from '../kit/contract.ts'
import { ChatMessage, MessageText } from './chat.contract.ts'

const UserId = z.uuid()
const Customer = z.object({ userId: UserId, name: z.string(), email: z.string(), joinedAt: z.string() })

export type Conversation = z.infer<typeof Conversation>
export const Conversation = z.object({
  ...Customer.shape,
  lastAt: z.string(),
  /** The last message, shortened; `lastIsFromUser` says whether the customer wrote it. */
  lastMessage: z.string(),
  lastIsFromUser: z.boolean(),
  /** Messages of the customer that staff have not read. */
  unread: z.number(),
  /** When the first message came that nobody has answered; null when none waits. */
  waitingSince: z.nullable(z.string()),
  /** Waits longer than the store says it takes. */
  isLate: z.boolean(),
})

export type Thread = z.infer<typeof Thread>
export const Thread = z.object({
  customer: Customer,
  waitingSince: z.nullable(z.string()),
  messages: z.array(ChatMessage),
})

export const MANY_CONVERSATIONS = 200

export const listConversations = endpoint('GET /api/admin/chat', {
  access: 'admin',
  about: `Conversations with customers: unread ones first, then those that wait, then by the last message; at most ${MANY_CONVERSATIONS}. Asking counts as being there.`,
  input: z.strictObject({}),
  reply: z.array(Conversation),
})

export const getThread = endpoint('GET /api/admin/chat/:userId', {
  access: 'admin',
  about: 'One conversation, oldest message first.',
  input: z.strictObject({ userId: UserId }),
  reply: Thread,
})

export const answerCustomer = endpoint('POST /api/admin/chat/:userId', {
  access: 'admin',
  about: 'Answers a customer. With an `Idempotency-Key` header an answer that is sent twice is kept once.',
  input: z.strictObject({ userId: UserId, message: MessageText }),
  reply: ChatMessage,
  status: 201,
})

export const markRead = endpoint('POST /api/admin/chat/:userId/read', {
  access: 'admin',
  about: 'Marks a conversation as read up to a message.',
  input: z.strictObject({ userId: UserId, messageId: z.uuid() }),
  reply: z.object({ unread: z.number() }),
})

export const settleConversation = endpoint('POST /api/admin/chat/:userId/settle', {
  access: 'admin',
  about: 'Takes a conversation off the list of those that wait; what comes after the message waits again.',
  input: z.strictObject({ userId: UserId, messageId: z.uuid() }),
  reply: z.object({ waitingSince: z.nullable(z.string()) }),
})
