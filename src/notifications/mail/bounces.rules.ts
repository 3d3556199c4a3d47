import * as z from 'zod/mini'

// Parses bounce reports of mail providers: in the shop's format, or in that of Postmark or SendGrid.

/** 'bounce': the address does not exist. 'complaint': its owner marked a mail of the shop as spam. */
export type Bounce = { email: string; kind: 'bounce' | 'complaint'; reason: string }

const MAX_REASON_LENGTH = 300
const MAX_AT_ONCE = 1000

const text = z.string().check(z.maxLength(5000))
const Own = z.strictObject({
  email: text,
  kind: z.optional(z.enum(['bounce', 'complaint'])),
  reason: z.optional(text),
})
const Postmark = z.object({
  RecordType: text,
  Email: z.optional(text),
  Type: z.optional(text),
  Description: z.optional(text),
})
const SendGrid = z.object({ event: text, email: text, type: z.optional(text), reason: z.optional(text) })

/** Returns the permanent failures and complaints. Null if an event has none of the three formats. */
export function readBounces(body: unknown): Bounce[] | null {
  const events = Array.isArray(body) ? body : [body]
  if (events.length > MAX_AT_ONCE) return null
  const read = events.map(readOne)
  return read.includes(null) ? null : read.filter((one): one is Bounce => one !== null && one !== 'other')
}

function readOne(event: unknown): Bounce | 'other' | null {
  const own = Own.safeParse(event)
  if (own.success) return bounce(own.data.email, own.data.kind ?? 'bounce', own.data.reason)
  const postmark = Postmark.safeParse(event)
  if (postmark.success) return ofPostmark(postmark.data)
  const sendGrid = SendGrid.safeParse(event)
  return sendGrid.success ? ofSendGrid(sendGrid.data) : null
}

function ofPostmark({ RecordType, Type, Email = '', Description }: z.infer<typeof Postmark>): Bounce | 'other' {
  if (RecordType === 'SpamComplaint') return bounce(Email, 'complaint', Description)
  const isLost = RecordType === 'Bounce' && (Type === 'HardBounce' || Type === 'BadEmailAddress')
  return isLost ? bounce(Email, 'bounce', Description) : 'other'
}

function ofSendGrid({ event, email, type, reason }: z.infer<typeof SendGrid>): Bounce | 'other' {
  if (event === 'spamreport') return bounce(email, 'complaint', reason)
  // 'blocked' is temporary
  return event === 'bounce' && type !== 'blocked' ? bounce(email, 'bounce', reason) : 'other'
}

const bounce = (email: string, kind: Bounce['kind'], reason = ''): Bounce => ({
  email,
  kind,
  reason: reason.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_REASON_LENGTH),
})
