import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { MAX_PASSWORD_LENGTH } from './account.rules.ts'

export type Account = z.infer<typeof Account>
export const Account = z.object({
  lastLoginAt: z.string(),
  /** False until the owner of an account without a password chooses one. */
  hasPassword: z.boolean(),
  /** Consent to newsletters. */
  wantsNews: z.boolean(),
  /** Mails about new versions of bought files. */
  wantsVersions: z.boolean(),
  /** The shop may ask once for a review of each product that the member used. */
  wantsReviewRequests: z.boolean(),
  /** Consent to such requests by mail. */
  wantsReviewMails: z.boolean(),
  /** Mails about messages of buyers and sellers. */
  wantsMessages: z.boolean(),
  /** Mails about new products of followed sellers. */
  wantsFollows: z.boolean(),
  /** The newest mail to the address bounced or was permanently refused. */
  isMailRefused: z.boolean(),
  /** Time at which a sign-in canceled the deletion, within the last 14 days. */
  keptAt: z.nullable(z.string()),
  pausedUntil: z.nullable(z.string()),
  /** Reason and end of a selling suspension. If `endsAt` is null, it lasts until staff lift it. */
  suspension: z.nullable(z.object({ reason: z.string(), endsAt: z.nullable(z.string()) })),
})

export const getAccount = endpoint('GET /api/account', {
  access: 'member',
  about: "The account's last sign-in and what it chose.",
  reply: Account,
})

export const setMails = endpoint('PUT /api/account/mails', {
  access: 'member',
  about: 'Chooses which mails come beside receipts and mails about the account itself.',
  input: z.strictObject({
    wantsNews: z.optional(z.boolean()),
    wantsVersions: z.optional(z.boolean()),
    wantsReviewRequests: z.optional(z.boolean()),
    wantsReviewMails: z.optional(z.boolean()),
    wantsMessages: z.optional(z.boolean()),
    wantsFollows: z.optional(z.boolean()),
  }),
  reply: Account,
})

const Typed = z.string().check(z.minLength(1), z.maxLength(MAX_PASSWORD_LENGTH))

export const changePassword = endpoint('POST /api/account/password', {
  access: 'member',
  stepUp: true,
  about: 'Sets another password and gives this browser a new session; ends all others unless told not to.',
  input: z.strictObject({ currentPassword: Typed, newPassword: Typed, endOthers: z.optional(z.boolean()) }),
  reply: z.object({ othersEnded: z.number() }),
})

export const choosePassword = endpoint('PUT /api/account/password', {
  access: 'member',
  stepUp: true,
  about: 'Sets the first password of an account without one. By default, this signs out its other sessions.',
  input: z.strictObject({ newPassword: Typed, endOthers: z.optional(z.boolean()) }),
  reply: z.object({ othersEnded: z.number() }),
})

export const requestVerification = endpoint('POST /api/account/verification', {
  access: 'member',
  about: 'Mails a link that verifies the address of the account.',
  reply: z.object({ sentTo: z.string() }),
  status: 202,
})
