import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { LineOfOrder } from '../line.contract.ts'
import { EMAIL, MAX_EMAIL_LENGTH, tidyEmail } from '../../identity/accounts/email.rules.ts'
import { tidy } from '../../kit/text.rules.ts'
import { hasAddress, withBlanks } from './gifts.rules.ts'

export const GIFT_STATES = ['open', 'claimed', 'taken_back', 'ended'] as const
export type GiftState = (typeof GIFT_STATES)[number]

export const MAX_NOTE = 300
export const MAX_NAME = 80
/** Number of gifts of one line, including withdrawn ones. */
export const MAX_GIFTS = 200
/** Gift mails from one giver to one address within a day, including renewed links. */
export const MAX_MAILS = 10

export type Gift = z.infer<typeof Gift>
/** `sendAt`: the time of the mail. Null for a link that the giver passes on. */
export const Gift = z.object({
  id: z.uuid(),
  quantity: z.number(),
  state: z.enum(GIFT_STATES),
  toName: z.string(),
  toEmail: z.nullable(z.string()),
  note: z.string(),
  sendAt: z.nullable(z.string()),
  sentAt: z.nullable(z.string()),
  claimedAt: z.nullable(z.string()),
  madeAt: z.string(),
})

export type GiftsOfLine = z.infer<typeof GiftsOfLine>
/** `most`: copies that can be given now, else `whyNot`. `canKeep`: the buyer retains no copy and may take one. */
export const GiftsOfLine = z.object({
  most: z.number(),
  whyNot: z.nullable(z.enum(['opened', 'none', 'closed', 'devices'])),
  canKeep: z.boolean(),
  gifts: z.array(Gift),
})

export const listGifts = endpoint('GET /api/orders/:id/lines/:lineId/gifts', {
  access: 'member',
  about: 'The gifts that the caller made of a line, newest first, and how many copies can be given still.',
  input: LineOfOrder,
  reply: GiftsOfLine,
})

const plain = (most: number) =>
  z.string().check(
    z.refine((text) => !hasAddress(text), 'Leave web addresses out'),
    tidy(),
    z.overwrite(withBlanks),
    z.maxLength(most),
  )

const Email = z
  .string()
  .check(
    z.overwrite(tidyEmail),
    z.maxLength(MAX_EMAIL_LENGTH),
    z.regex(EMAIL, 'Enter an email address like ada@example.com.'),
  )

export const giveCopies = endpoint('POST /api/orders/:id/lines/:lineId/gifts', {
  access: 'member',
  about:
    'Makes a gift of copies of a line: codes, seats or copies of a file. With `toEmail` the shop mails the link at `sendAt`, or at once. The answer is the only place that shows the link. Copies that the buyer has opened cannot be given: 409. An `Idempotency-Key` header makes a repeated gift once. 409 `too_many_mails` after 10 mails to one address in a day. Codes, keys and goods as good as cash need a fresh proof: 403 `step_up_required`.',
  input: z.extend(LineOfOrder, {
    quantity: z.number().check(z.int(), z.minimum(1), z.maximum(9999)),
    toName: z.optional(plain(MAX_NAME)),
    toEmail: z.optional(Email),
    note: z.optional(plain(MAX_NOTE)),
    sendAt: z.optional(z.iso.datetime()),
  }),
  reply: z.object({ gift: Gift, link: z.string() }),
  status: 201,
})

export const keepCopy = endpoint('POST /api/orders/:id/lines/:lineId/keep', {
  access: 'member',
  about: 'The buyer keeps what is not given away of a line that was bought to give.',
  input: LineOfOrder,
  reply: GiftsOfLine,
})

const OneGift = z.strictObject({ id: z.uuid() })

export const renewGift = endpoint('POST /api/gifts/:id/link', {
  access: 'member',
  stepUp: true,
  about:
    'Makes a new link of a gift that is not claimed, mails it again if the gift was mailed, and ends the link before it.',
  input: OneGift,
  reply: z.object({ gift: Gift, link: z.string() }),
})

export const takeGiftBack = endpoint('DELETE /api/gifts/:id', {
  access: 'member',
  about: 'Takes a gift back that is not claimed: 409 `claimed` afterwards. Its link ends.',
  input: OneGift,
  reply: Gift,
})

export const GiftToken = z.string().check(z.regex(/^[\w-]{32}$/))

export type ShownGift = z.infer<typeof ShownGift>
/** Data for anyone with the link, without the goods. `closed`: a refund or a dispute is open. */
export const ShownGift = z.object({
  state: z.enum([...GIFT_STATES, 'closed']),
  productId: z.uuid(),
  title: z.string(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  kind: z.string(),
  quantity: z.number(),
  from: z.string(),
  toName: z.string(),
  note: z.string(),
  /** True if the caller is the giver. `orderId`: the order of a caller who claimed the gift. */
  isOwn: z.boolean(),
  orderId: z.nullable(z.uuid()),
})

export const lookAtGift = endpoint('POST /api/gifts/look', {
  access: 'public',
  about:
    'What the gift of a link is, and from whom. A POST, so that no log or cache keeps the link. 404 for a link that does not work.',
  input: z.strictObject({ token: GiftToken }),
  reply: ShownGift,
})

export const claimGift = endpoint('POST /api/gifts/claim', {
  access: 'member',
  about:
    'Makes the caller the owner of a gift and answers the order that it is in. Once: a repeat by the same account answers the same, another account gets 409 `claimed`. 409 also after a refund, in a dispute, and for the giver.',
  input: z.strictObject({ token: GiftToken }),
  reply: z.object({ orderId: z.uuid() }),
})
