import * as z from 'zod/mini'
import { endpoint, ROLES } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'
import { Seller } from '../../moderation/moderation.contract.ts'
import { ORDER_STATUSES } from '../../orders/states.rules.ts'

export type FoundMember = z.infer<typeof FoundMember>
/** `orders` counts paid orders. `spent` is a decimal string in USD, without store credit and refunds. */
export const FoundMember = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  since: z.string(),
  isSuspended: z.boolean(),
  orders: z.number(),
  spent: z.string(),
})

export const MEMBER_KINDS = ['sellers', 'suspended', 'staff'] as const
export type MemberKind = (typeof MEMBER_KINDS)[number]
const MANY_FOUND = 100

export const findMembers = endpoint('GET /api/admin/members', {
  access: 'support',
  about:
    'All members, newest first. `q` is an account id, an email address or its start, words of the name, the number of an order or payment ' +
    'or its last eight characters, or the address of a saved wallet. ' +
    '`kind` selects members with products, suspended sellers or staff. `after` is the id of the last member of the previous page. ' +
    '`Link: rel="next"` has the URL of the next page.',
  input: z.strictObject({
    q: z.optional(oneLine().check(z.maxLength(254))),
    kind: z.optional(z.enum(MEMBER_KINDS)),
    after: z.optional(z.uuid()),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MANY_FOUND))),
  }),
  reply: z.array(FoundMember),
})

const Purchase = z.object({
  id: z.uuid(),
  total: z.string(),
  status: z.enum(ORDER_STATUSES),
  at: z.string(),
  titles: z.array(z.string()),
  lineCount: z.number(),
})

const Sale = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  title: z.string(),
  /** The revenue of the sale, and what refunds returned of it. */
  amount: z.string(),
  returned: z.string(),
  isDisputed: z.boolean(),
  at: z.string(),
})

const Message = z.object({
  id: z.uuid(),
  author: z.enum(['user', 'admin', 'assistant']),
  /** The first 300 characters. */
  text: z.string(),
  at: z.string(),
})

export const CASE_KINDS = ['dispute', 'refundRequest', 'badCode', 'badCodeSold', 'report', 'suspension'] as const
export type MemberCase = z.infer<typeof MemberCase>
/** `id` is the order, or the report. `about` is the title of the product, or the reason of a suspension. */
export const MemberCase = z.object({
  kind: z.enum(CASE_KINDS),
  id: z.uuid(),
  state: z.string(),
  at: z.string(),
  about: z.nullable(z.string()),
})

export type MemberFile = z.infer<typeof MemberFile>
/** Purchases, sales, messages and cases are the latest. Amounts are decimal strings in USD. */
export const MemberFile = z.extend(FoundMember, {
  isVerified: z.boolean(),
  isOwn: z.boolean(),
  /** The name in the URL of the member's seller page. Null if the member has no such page. */
  handle: z.nullable(z.string()),
  hasChat: z.boolean(),
  seller: Seller,
  /** Sales of the member: their number, revenue and refunds. */
  sold: z.object({ sales: z.number(), amount: z.string(), refunded: z.string() }),
  /** Disputes about purchases of the member. */
  disputes: z.number(),
  /** Browsers that are signed in. */
  sessions: z.number(),
  purchases: z.array(Purchase),
  sales: z.array(Sale),
  messages: z.array(Message),
  cases: z.array(MemberCase),
})

export const readMember = endpoint('GET /api/admin/members/:id', {
  access: 'support',
  about:
    'One member: account, purchases, sales, messages, cases, number of listed products, take-downs and an active suspension.',
  input: z.strictObject({ id: z.uuid() }),
  reply: MemberFile,
})

/** The number of cases in `MemberFile`. */
export const FIRST_CASES = 10

export const listMemberCases = endpoint('GET /api/admin/members/:id/cases', {
  access: 'support',
  about:
    'All cases of a member, newest first. `X-Total-Count` counts them, `Link: rel="next"` has the URL of the next page.',
  input: z.strictObject({
    id: z.uuid(),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MANY_FOUND))),
    after: z.optional(z.string().check(z.maxLength(300))),
  }),
  reply: z.array(MemberCase),
})

export const signOutMember = endpoint('DELETE /api/admin/members/:id/sessions', {
  access: 'support',
  stepUp: true,
  about:
    'Ends all sessions of a member and mails them. Only an administrator signs staff out. 409 for the own account.',
  input: z.strictObject({ id: z.uuid() }),
  reply: z.object({ ended: z.number() }),
})
