import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { ORDER_STATUSES } from '../../orders/states.rules.ts'
import { ChatMessage, MessageText } from '../chat/chat.contract.ts'

const UserId = z.uuid()
const Customer = z.object({ userId: UserId, name: z.string(), email: z.string(), joinedAt: z.string() })

export type Conversation = z.infer<typeof Conversation>
export const Conversation = z.object({
  ...Customer.shape,
  lastAt: z.string(),
  lastMessage: z.string(),
  lastIsFromUser: z.boolean(),
  unread: z.number(),
  waitingSince: z.nullable(z.string()),
  isLate: z.boolean(),
  isForPerson: z.boolean(),
  assignee: z.nullable(z.object({ id: z.uuid(), name: z.string() })),
  snoozedUntil: z.nullable(z.string()),
  tags: z.array(z.string()),
})

export type Thread = z.infer<typeof Thread>
export const Thread = z.object({
  customer: Customer,
  waitingSince: z.nullable(z.string()),
  isForPerson: z.boolean(),
  assignee: z.nullable(z.object({ id: z.uuid(), name: z.string() })),
  isMine: z.boolean(),
  snoozedUntil: z.nullable(z.string()),
  tags: z.array(z.string()),
  score: z.nullable(z.number()),
  messages: z.array(ChatMessage),
})

export const MANY_CONVERSATIONS = 100

export type Inbox = z.infer<typeof Inbox>
export const Inbox = z.object({
  conversations: z.array(Conversation),
  waiting: z.number(),
  waitingSince: z.nullable(z.string()),
  after: z.nullable(UserId),
})

export const sendTypingTo = endpoint('POST /api/admin/chat/:userId/typing', {
  access: 'support',
  about: 'Notifies the open chat of a customer and the pages of colleagues that the caller types. Nothing is stored.',
  input: z.strictObject({ userId: UserId }),
  reply: z.object({ isDone: z.boolean() }),
})

export const listConversations = endpoint('GET /api/admin/chat', {
  access: 'support',
  about: `Conversations with customers: those that asked for a person first, then who waits longest, then the rest by the last message; at most ${MANY_CONVERSATIONS} a page, continued with \`after\`. A call marks the caller as online.`,
  input: z.strictObject({ after: z.optional(UserId) }),
  reply: Inbox,
})

export type AboutCustomer = z.infer<typeof AboutCustomer>
/** Amounts are decimal strings in USD. `risk` is the score of the last purchase, 0 to 100. */
export const AboutCustomer = z.object({
  orders: z.number(),
  spent: z.string(),
  credit: z.string(),
  risk: z.nullable(z.number()),
  latest: z.array(z.object({ id: z.uuid(), status: z.enum(ORDER_STATUSES), total: z.string(), createdAt: z.string() })),
})

export const aboutCustomer = endpoint('GET /api/admin/chat/:userId/about', {
  access: 'support',
  about: 'The purchases of a customer in a conversation: sums, store credit and the latest orders.',
  input: z.strictObject({ userId: UserId }),
  reply: AboutCustomer,
})

export const getThread = endpoint('GET /api/admin/chat/:userId', {
  access: 'support',
  about: 'One conversation, oldest message first.',
  input: z.strictObject({ userId: UserId }),
  reply: Thread,
})

export const answerCustomer = endpoint('POST /api/admin/chat/:userId', {
  access: 'support',
  about:
    'Answers a customer. An `Idempotency-Key` header stores a repeated answer once. With `seenId`, the newest message that the caller saw, 409 if another agent has answered since.',
  input: z.strictObject({ userId: UserId, message: MessageText, seenId: z.optional(z.uuid()) }),
  reply: ChatMessage,
  status: 201,
})

export const markRead = endpoint('POST /api/admin/chat/:userId/read', {
  access: 'support',
  about: 'Marks a conversation as read up to a message.',
  input: z.strictObject({ userId: UserId, messageId: z.uuid() }),
  reply: z.object({ unread: z.number() }),
})

export const settleConversation = endpoint('POST /api/admin/chat/:userId/settle', {
  access: 'support',
  about: 'Marks a conversation as answered up to a message; a later message waits again.',
  input: z.strictObject({ userId: UserId, messageId: z.uuid() }),
  reply: z.object({ waitingSince: z.nullable(z.string()) }),
})
