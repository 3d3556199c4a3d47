import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine, tidy } from '../../kit/text.rules.ts'
import { MessageText } from '../chat/chat.contract.ts'

const UserId = z.uuid()
const One = { userId: UserId }
export const MAX_TAG_LENGTH = 30
export const MAX_TAGS = 10

export const assignConversation = endpoint('POST /api/admin/chat/:userId/assign', {
  access: 'support',
  about: 'Takes a conversation (`isMine`), or lets it go.',
  input: z.strictObject({ ...One, isMine: z.boolean() }),
  reply: z.object({ isMine: z.boolean() }),
})

export const SNOOZES = [1, 4, 24, 72] as const
export const snoozeConversation = endpoint('POST /api/admin/chat/:userId/snooze', {
  access: 'support',
  about:
    'Takes a conversation out of the queue for some hours; a new message of the customer brings it back. 0 ends it.',
  input: z.strictObject({ ...One, hours: z.int().check(z.minimum(0), z.maximum(24 * 14)) }),
  reply: z.object({ snoozedUntil: z.nullable(z.string()) }),
})

export const tagConversation = endpoint('PUT /api/admin/chat/:userId/tags', {
  access: 'support',
  about: 'Replaces the tags of a conversation.',
  input: z.strictObject({
    ...One,
    tags: z.array(oneLine().check(z.minLength(1), z.maxLength(MAX_TAG_LENGTH))).check(z.maxLength(MAX_TAGS)),
  }),
  reply: z.object({ tags: z.array(z.string()) }),
})

export type Note = z.infer<typeof Note>
const Note = z.object({ id: z.uuid(), note: z.string(), author: z.string(), createdAt: z.string() })
export const listNotes = endpoint('GET /api/admin/chat/:userId/notes', {
  access: 'support',
  about:
    'Notes of staff about a member, oldest first. Members never see them, nor do staff those about themselves: 403.',
  input: z.strictObject(One),
  reply: z.array(Note),
})
export const addNote = endpoint('POST /api/admin/chat/:userId/notes', {
  access: 'support',
  about: 'Adds a note about a member, also one without a conversation.',
  input: z.strictObject({
    ...One,
    note: z.string().check(tidy(), z.minLength(1, 'Write something first.'), z.maxLength(2000)),
  }),
  reply: z.array(Note),
  status: 201,
})

export type CannedReply = z.infer<typeof CannedReply>
const CannedReply = z.object({ id: z.uuid(), title: z.string(), body: z.string() })
export const listReplies = endpoint('GET /api/admin/chat/replies', {
  access: 'support',
  about: 'Replies to use again; {name}, {store} and {agent} stand for the customer, the store and the agent.',
  reply: z.array(CannedReply),
})
export const saveReply = endpoint('POST /api/admin/chat/replies', {
  access: 'support',
  about: 'Adds a reply to use again, or replaces the one of this title.',
  input: z.strictObject({
    title: oneLine().check(z.minLength(1, 'Give it a title.'), z.maxLength(80)),
    body: MessageText,
  }),
  reply: z.array(CannedReply),
  status: 201,
})
export const deleteReply = endpoint('DELETE /api/admin/chat/replies/:id', {
  access: 'support',
  about: 'Deletes a reply.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.array(CannedReply),
})

export const suggestReply = endpoint('GET /api/admin/chat/:userId/suggestion', {
  access: 'support',
  about:
    'What the assistant would answer to what the customer wrote since the last answer of staff; null when it is not sure.',
  input: z.strictObject(One),
  reply: z.object({ suggestion: z.nullable(z.object({ text: z.string(), confidence: z.number() })) }),
})

export const mergeConversations = endpoint('POST /api/admin/chat/:userId/merge', {
  access: 'support',
  about:
    'Joins what another account of the same person asked to this conversation: its open wait and a note with its last messages. The other conversation is settled; no message changes its account.',
  input: z.strictObject({ ...One, otherId: UserId }),
  reply: z.object({ notes: z.number() }),
})

export type ResponseReport = z.infer<typeof ResponseReport>
export const ResponseReport = z.object({
  days: z.number(),
  answers: z.number(),
  medianMinutes: z.nullable(z.number()),
  p90Minutes: z.nullable(z.number()),
  satisfaction: z.nullable(z.number()),
  assistant: z.object({
    answers: z.number(),
    unsure: z.number(),
    helped: z.number(),
    notHelped: z.number(),
  }),
  costs: z.object({ chatDollars: z.string(), analyzeDollars: z.string(), explainDollars: z.string() }),
  agents: z.array(
    z.object({
      name: z.string(),
      answers: z.number(),
      medianMinutes: z.number(),
      satisfaction: z.nullable(z.number()),
    }),
  ),
})
export const readResponses = endpoint('GET /api/admin/chat/report', {
  access: 'support',
  about: 'How long customers waited for answers of staff in the last days, and how the assistant did.',
  input: z.strictObject({ days: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(365))) }),
  reply: ResponseReport,
})
