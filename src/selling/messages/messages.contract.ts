import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

export const MAX_MESSAGE = 2000
/** A thread shows so many of the newest messages. */
export const MANY_MESSAGES = 200
/** Messages in a row without an answer. */
export const MAX_UNANSWERED = 5
export const MAX_REPORT = 1000

export const SIDES = ['buyer', 'seller'] as const
export type Side = (typeof SIDES)[number]

export type Message = z.infer<typeof Message>
/** `title` is the product that the message is about. */
export const Message = z.object({
  id: z.uuid(),
  author: z.enum(SIDES),
  text: z.string(),
  title: z.string(),
  at: z.string(),
})

export type MessageThread = z.infer<typeof MessageThread>
/** The messages of a buyer and a seller about all sales between them, oldest first. */
export const MessageThread = z.object({
  /** The side of the caller. */
  side: z.enum(SIDES),
  /** The public name of the other side. */
  name: z.string(),
  title: z.string(),
  messages: z.array(Message),
  isUnread: z.boolean(),
  /** The side that ended the thread. */
  blockedBy: z.nullable(z.enum(SIDES)),
  /** The caller reported the thread. */
  isReported: z.boolean(),
  /** Neither side ended the thread, and the other account exists. */
  canWrite: z.boolean(),
})

const Sale = z.strictObject({ id: z.uuid() })

export const getMessages = endpoint('GET /api/messages/:id', {
  access: 'member',
  about:
    'The messages of the caller with the other side of a sale. `id` is the line of the order; the thread is the same for all sales between both.',
  input: Sale,
  reply: MessageThread,
})

export const sendMessage = endpoint('POST /api/messages/:id', {
  access: 'member',
  about: `Writes to the other side of a sale. A repeat with the same \`messageId\` sends nothing. 409 \`blocked\` if one side ended the thread, \`unanswered\` after ${MAX_UNANSWERED} messages without an answer.`,
  input: z.extend(Sale, {
    messageId: z.uuid(),
    text: z
      .string()
      .check(tidy(), z.minLength(1, 'Write a message'), z.maxLength(MAX_MESSAGE, 'At most 2,000 characters')),
  }),
  reply: MessageThread,
  status: 201,
})

export const markMessagesRead = endpoint('POST /api/messages/:id/read', {
  access: 'member',
  about: 'Marks the messages of a thread as read by the caller.',
  input: Sale,
  reply: Sale,
})

export const blockMessages = endpoint('PUT /api/messages/:id/block', {
  access: 'member',
  about: 'Ends a thread, or opens one again that the caller ended. Until then neither side writes.',
  input: z.extend(Sale, { isBlocked: z.boolean() }),
  reply: MessageThread,
})

export const reportMessages = endpoint('POST /api/messages/:id/report', {
  access: 'member',
  about: 'Reports a thread to support with a note, and ends it.',
  input: z.extend(Sale, {
    note: z
      .string()
      .check(tidy(), z.minLength(1, 'Say what is wrong'), z.maxLength(MAX_REPORT, 'At most 1,000 characters')),
  }),
  reply: MessageThread,
})

export type OrderSeller = z.infer<typeof OrderSeller>
/** A seller of an order. `lineId` is a line that this seller sold. */
export const OrderSeller = z.object({
  lineId: z.uuid(),
  name: z.string(),
  titles: z.array(z.string()),
  messages: z.number(),
  isUnread: z.boolean(),
})

export const listOrderSellers = endpoint('GET /api/orders/:id/sellers', {
  access: 'member',
  about: 'The sellers of a paid order of the caller, with the number of messages exchanged with each.',
  input: Sale,
  reply: z.array(OrderSeller),
})

export type StaffThread = z.infer<typeof StaffThread>
export const StaffThread = z.object({
  id: z.uuid(),
  buyer: z.object({ id: z.uuid(), name: z.string() }),
  seller: z.object({ id: z.uuid(), name: z.string() }),
  blockedBy: z.nullable(z.enum(SIDES)),
  report: z.nullable(z.object({ by: z.nullable(z.enum(SIDES)), note: z.string(), at: z.string() })),
  messages: z.array(Message),
})

export const MANY_THREADS = 20

export const listStaffThreads = endpoint('GET /api/admin/messages', {
  access: 'support',
  about: `The threads of a member, or of the buyer and the sellers of an order, read only: the ${MANY_THREADS} with the newest messages.`,
  input: z.strictObject({ memberId: z.optional(z.uuid()), orderId: z.optional(z.uuid()) }),
  reply: z.array(StaffThread),
})
