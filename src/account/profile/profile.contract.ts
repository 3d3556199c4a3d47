import * as z from 'zod/mini'
import { LONGEST_NAME, nameProblem } from '../../identity/accounts/account.rules.ts'
import { CurrentUser } from '../../identity/identity.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'

const Name = z.string().check(
  tidy(),
  z.maxLength(LONGEST_NAME * 4),
  z.refine(
    (name) => nameProblem(name) === null,
    `Use ${LONGEST_NAME} characters or fewer, without control characters.`,
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
