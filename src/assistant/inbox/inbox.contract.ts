import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { ORDER_STATUSES } from '../../orders/orders.contract.ts'
import { ChatMessage, MessageText } from '../chat/chat.contract.ts'

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

export const MANY_CONVERSATIONS = 100

export type Inbox = z.infer<typeof Inbox>
export const Inbox = z.object({
  conversations: z.array(Conversation),
  /** How many wait in all, and since when the first of them. */
  waiting: z.number(),
  waitingSince: z.nullable(z.string()),
  /** Asks for the conversations after these; null when there are no more. */
  after: z.nullable(UserId),
})

export const listConversations = endpoint('GET /api/admin/chat', {
  access: 'admin',
  about: `Conversations with customers: unread ones first, then those that wait, then by the last message; at most ${MANY_CONVERSATIONS} a page, \`after\` leads on. Asking counts as being there.`,
  input: z.strictObject({ after: z.optional(UserId) }),
  reply: Inbox,
})

export type AboutCustomer = z.infer<typeof AboutCustomer>
/** What helps to answer somebody. `spent`, `credit` and `total` are decimal strings in USD; `risk` is the score of the last purchase, 0 to 100. */
export const AboutCustomer = z.object({
  orders: z.number(),
  spent: z.string(),
  credit: z.string(),
  risk: z.nullable(z.number()),
  latest: z.array(z.object({ id: z.uuid(), status: z.enum(ORDER_STATUSES), total: z.string(), createdAt: z.string() })),
})

export const aboutCustomer = endpoint('GET /api/admin/chat/:userId/about', {
  access: 'admin',
  about: 'What a customer in a conversation has bought: sums, store credit and the latest orders.',
  input: z.strictObject({ userId: UserId }),
  reply: AboutCustomer,
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
