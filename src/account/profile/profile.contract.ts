import * as z from 'zod/mini'
import { MAX_NAME_LENGTH, nameProblem } from '../../identity/accounts/account.rules.ts'
import { CurrentUser } from '../../identity/identity.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

const Name = z.string().check(
  tidy(),
  z.maxLength(MAX_NAME_LENGTH * 4),
  z.refine(
    (name) => nameProblem(name) === null,
    `Use ${MAX_NAME_LENGTH} characters or fewer, without control characters.`,
  ),
)

export const saveProfile = endpoint('PUT /api/account/profile', {
  access: 'member',
  about: 'Changes name and picture. `pictureURL` is an upload of the caller, the current picture, or null for none.',
  input: z.strictObject({
    firstName: Name,
    lastName: Name,
    pictureURL: z.nullable(z.string().check(z.maxLength(500))),
  }),
  reply: CurrentUser,
})
