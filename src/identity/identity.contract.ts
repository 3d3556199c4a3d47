import * as z from 'zod/mini'
import { endpoint, ROLES } from '../kit/contract.ts'

export type CurrentUser = z.infer<typeof CurrentUser>
export const CurrentUser = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  isAdmin: z.boolean(),
  role: z.enum(ROLES),
  /** True for staff without a passkey or second factor. Production does not admit them. */
  needsFactor: z.boolean(),
  createdAt: z.string(),
  emailVerified: z.boolean(),
  twoFactorEnabled: z.boolean(),
  isNewShopper: z.boolean(),
  /** True if the member has or had products for sale. */
  isSeller: z.boolean(),
  /** Only while staff see the shop as this member. */
  view: z.optional(z.object({ endsAt: z.string() })),
})

export const getCurrentUser = endpoint('GET /api/auth/user', {
  access: 'member',
  about: 'The signed-in account.',
  reply: CurrentUser,
})
