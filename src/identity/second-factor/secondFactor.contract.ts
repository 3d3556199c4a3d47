import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { MAX_PASSWORD_LENGTH } from '../accounts/account.rules.ts'

export type SecondFactor = z.infer<typeof SecondFactor>
export const SecondFactor = z.object({ isOn: z.boolean(), recoveryCodesLeft: z.number() })

/** Requires the password, because someone else may use a browser that was left signed in. */
const WithPassword = z.strictObject({ password: z.string().check(z.minLength(1), z.maxLength(MAX_PASSWORD_LENGTH)) })

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const getSecondFactor = endpoint('GET /api/account/second-factor', {
  access: 'member',
  about: 'Whether signing in asks for a code, and how many recovery codes are left.',
  reply: SecondFactor,
})

export type Enrolment = z.infer<typeof Enrolment>
export const Enrolment = z.object({
  /** The key in Base32, to type into the app. */
  key: z.string(),
  uri: z.string(),
  /** `uri` as a QR code: a square of `size` modules, and an SVG path of the dark ones. */
  qr: z.object({ size: z.number(), path: z.string() }),
})

export const beginSecondFactor = endpoint('POST /api/account/second-factor', {
  access: 'member',
  stepUp: true,
  about: 'Makes a new key for an authenticator app; it guards nothing until a code of it was sent.',
  input: WithPassword,
  reply: Enrolment,
  status: 201,
})

export const confirmSecondFactor = endpoint('POST /api/account/second-factor/confirm', {
  access: 'member',
  stepUp: true,
  about: 'Turns the second step on by a code of the new key; answers ten recovery codes, once.',
  input: z.strictObject({ code: z.string().check(z.maxLength(20)) }),
  reply: RecoveryCodes,
})

export const renewRecoveryCodes = endpoint('POST /api/account/second-factor/recovery', {
  access: 'member',
  stepUp: true,
  about: 'Answers ten new recovery codes, once; the old ones stop working.',
  input: WithPassword,
  reply: RecoveryCodes,
})

export const endSecondFactor = endpoint('DELETE /api/account/second-factor', {
  access: 'member',
  stepUp: true,
  about: 'Turns the second step off.',
  input: WithPassword,
  reply: SecondFactor,
})
