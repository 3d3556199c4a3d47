import * as z from 'zod/mini'
import { endpoint, ROLES } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'
import { Seller } from '../../moderation/moderation.contract.ts'

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
    'All members, newest first. `q` is an account id, an email address or its start, or words of the name. ' +
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

export type MemberFile = z.infer<typeof MemberFile>
export const MemberFile = z.extend(FoundMember, {
  isVerified: z.boolean(),
  isOwn: z.boolean(),
  /** The name in the URL of the member's seller page. Null if the member has no such page. */
  handle: z.nullable(z.string()),
  hasChat: z.boolean(),
  seller: Seller,
})

export const readMember = endpoint('GET /api/admin/members/:id', {
  access: 'support',
  about: 'One member: account, purchases, number of listed products, take-downs and an active suspension.',
  input: z.strictObject({ id: z.uuid() }),
  reply: MemberFile,
})
