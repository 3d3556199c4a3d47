import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { MAX_PASSWORD_LENGTH } from '../accounts/account.rules.ts'
import { KeyOptions, KeyProof } from '../passkeys/passkey.contract.ts'

export type StepUp = z.infer<typeof StepUp>
export const StepUp = z.object({
  /** Omits 'password' if the account has a second factor. 'mail' is only for accounts without another way. */
  ways: z.array(z.enum(['passkey', 'code', 'password', 'mail'])),
})

export const getStepUp = endpoint('GET /api/account/step-up', {
  access: 'member',
  about: 'How the owner of this account can show again who they are.',
  reply: StepUp,
})

export const beginStepUp = endpoint('POST /api/account/step-up/options', {
  access: 'member',
  about: 'Begins to show it by a passkey: options for the browser, good for five minutes, in this browser, once.',
  reply: KeyOptions,
})

export const mailStepUpCode = endpoint('POST /api/account/step-up/mail', {
  access: 'member',
  about:
    'Mails a code to the owner of an account without another way. It works in this session, once, for ten minutes.',
  reply: z.object({ sentTo: z.string() }),
  status: 202,
})

export const verifyIdentity = endpoint('POST /api/account/step-up', {
  access: 'member',
  about: 'Shows it by one of the ways. For ten minutes this session may do what asks for it.',
  input: z.strictObject({
    password: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_PASSWORD_LENGTH))),
    code: z.optional(z.string().check(z.maxLength(20))),
    mailedCode: z.optional(z.string().check(z.maxLength(20))),
    passkey: z.optional(KeyProof),
  }),
  reply: z.object({ minutes: z.number() }),
})
