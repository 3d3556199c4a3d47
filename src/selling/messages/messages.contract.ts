import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

export const MAX_MESSAGE = 2000
/** Maximum of messages that a thread shows, newest first. */
export const MANY_MESSAGES = 200
/** Maximum of messages in a row without an answer. */
export const MAX_UNANSWERED = 5
/** Maximum of people to whom a member writes within 24 hours and who have never answered. */
export const MAX_STARTED = 20
export const MAX_REPORT = 1000
/** Maximum of open reports of a thread by one side. */
export const MAX_OPEN_REPORTS = 3

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

/**
 * Why the caller cannot write: the caller, the other side or staff ended the thread, the other account was deleted, the
 * caller is suspended as a seller, or nothing was paid and the buyer has not written.
 */
export const CLOSED = ['own', 'other', 'staff', 'gone', 'suspended', 'unasked'] as const
export type Closed = (typeof CLOSED)[number]

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
  closed: z.nullable(z.enum(CLOSED)),
  /** The caller has an open report of the thread. */
  isReported: z.boolean(),
})

const Sale = z.strictObject({ id: z.uuid() })

export const getMessages = endpoint('GET /api/messages/:id', {
  access: 'member',
  about:
    'The messages of the caller with the other side of a sale. `id` is the line of the order; all sales between both sides share one thread.',
  input: Sale,
  reply: MessageThread,
})

export const sendMessage = endpoint('POST /api/messages/:id', {
  access: 'member',
  about: `Writes to the other side of a sale. A repeat with the same \`messageId\` sends nothing. 409 \`reused\` if that id belongs to another message, \`blocked\` if a side or staff ended the thread, \`gone\` if the other account was deleted, \`suspended\`, \`unasked\` if a seller begins about a free sale, \`unanswered\` after ${MAX_UNANSWERED} messages without an answer, \`many\` after writing to ${MAX_STARTED} people in 24 hours who have not answered.`,
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
  about: 'Marks the messages of a thread as read by the caller, up to the newest message that was shown.',
  input: z.extend(Sale, { messageId: z.uuid() }),
  reply: Sale,
})

export const blockMessages = endpoint('PUT /api/messages/:id/block', {
  access: 'member',
  about:
    'Ends the messages with the other side in all their threads, or reopens them. Neither side writes in an ended thread.',
  input: z.extend(Sale, { isBlocked: z.boolean() }),
  reply: MessageThread,
})

export const reportMessages = endpoint('POST /api/messages/:id/report', {
  access: 'member',
  about: `Reports a thread to support with a note, and ends it. 409 \`many_reports\` with ${MAX_OPEN_REPORTS} open reports.`,
  input: z.extend(Sale, {
    note: z
      .string()
      .check(tidy(), z.minLength(1, 'Describe the problem'), z.maxLength(MAX_REPORT, 'At most 1,000 characters')),
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

export type MessageReport = z.infer<typeof MessageReport>
/** `messages` were the newest of the thread when it was reported. */
export const MessageReport = z.object({
  id: z.uuid(),
  by: z.enum(SIDES),
  note: z.string(),
  at: z.string(),
  closedAt: z.nullable(z.string()),
  messages: z.array(Message),
})

export const ENDERS = [...SIDES, 'staff'] as const

export type StaffThread = z.infer<typeof StaffThread>
/** `messages` and `openReports` are counts. If `isOwn`, the caller is a side of the thread and sees no reports. */
export const StaffThread = z.object({
  id: z.uuid(),
  buyer: z.object({ id: z.uuid(), name: z.string() }),
  seller: z.object({ id: z.uuid(), name: z.string() }),
  endedBy: z.array(z.enum(ENDERS)),
  isOwn: z.boolean(),
  messages: z.number(),
  openReports: z.number(),
})

export const MANY_THREADS = 20

export const listStaffThreads = endpoint('GET /api/admin/messages', {
  access: 'support',
  about: `The threads of a member, of the buyer and the sellers of an order, or with open reports: at most ${MANY_THREADS}, without their messages.`,
  input: z.strictObject({
    memberId: z.optional(z.uuid()),
    orderId: z.optional(z.uuid()),
    show: z.optional(z.literal('reported')),
  }),
  reply: z.array(StaffThread),
})

export const StaffMessages = z.object({ messages: z.array(Message), reports: z.array(MessageReport) })

export const getStaffMessages = endpoint('GET /api/admin/messages/:id', {
  access: 'support',
  about: 'The messages and reports of a thread. The audit log records who reads a thread without an open report.',
  input: z.strictObject({ id: z.uuid() }),
  reply: StaffMessages,
})

export const settleMessages = endpoint('PUT /api/admin/messages/:id', {
  access: 'support',
  about:
    'Closes the open reports of a thread, and ends the thread for both sides or opens it again. Mails each reporter. 403 `own` for a side of the thread.',
  input: z.strictObject({ id: z.uuid(), isEnded: z.boolean() }),
  reply: z.strictObject({ id: z.uuid() }),
})
