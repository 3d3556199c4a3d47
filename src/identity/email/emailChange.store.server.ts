import * as z from 'zod/mini'
import { codeOf, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { mailArrived } from '../accounts/account.store.server.ts'
import type { Context } from '../pages/context.server.ts'
import { removePasskeysOf } from '../passkeys/passkey.store.server.ts'
import { CHALLENGE, RESET } from '../password/password.store.server.ts'
import { removeSecondFactor } from '../second-factor/secondFactor.store.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'
import { hashToken, issueToken, redeemToken, revokeTokens } from '../token.store.server.ts'
import { ADDRESS } from './addressCheck.server.ts'

// A link to the new address confirms the change. The old address is warned and can undo it for three days.

export const CHANGE = 'email-change'
export const UNDO = 'email-undo'
const CHANGE_SECONDS = 24 * 3600
const UNDO_SECONDS = 72 * 3600
const DUPLICATE = '23505'

export type Claim = z.infer<typeof Claim>
export const Claim = z.object({ userId: z.string(), from: z.string(), to: z.string() })

/** Only a mail to the new address says whether it has an account; the answer does not reveal it. */
export const requestChange = ({ db, config, linkOf, seal }: Context, claim: Claim) =>
  inTransaction(db, async (tx) => {
    const { from, to, userId } = claim
    // only the newest link works
    await revokeTokens(tx, [CHANGE], userId)
    const token = await issueToken(tx, CHANGE, claim, CHANGE_SECONDS)
    const isTaken = await tx.selectFrom('users').select('id').where('email', '=', to).executeTakeFirst()
    await sendMail(
      tx,
      config,
      isTaken
        ? {
            key: `email-taken:${hashToken(token)}`,
            to,
            subject: 'This address already has an account',
            lines: [
              `Someone asked to use this address for another account at ${config.storeName}. It already has an account, so nothing was changed.`,
              'If that was you, sign in with this address, or change the address of that account first.',
            ],
          }
        : {
            key: `email-change:${hashToken(token)}`,
            to,
            subject: 'Confirm your new email address',
            lines: [
              `You asked to use this address for your account at ${config.storeName}. The link works once, within 24 hours, in the browser where you’re signed in.`,
              'If this wasn’t you, you can ignore this email. Nothing will change.',
            ],
            action: { label: 'Confirm', url: linkOf(`/api/login/email?token=${seal.seal(token, to)}`) },
          },
    )
    await sendMail(tx, config, {
      key: `email-asked:${hashToken(token)}`,
      to: from,
      subject: 'Someone wants to change your email address',
      lines: [
        `Someone signed in to your account at ${config.storeName} asked to change its address to ${to}. Nothing has changed yet.`,
        'If this wasn’t you, change your password now and sign out your other devices.',
      ],
      action: { label: 'Open Settings', url: linkOf('/settings') },
    })
  })

export type Outcome = 'done' | 'useless' | 'taken'

export const confirmChange = ({ db, config, linkOf, seal }: Context, token: string): Promise<Outcome> =>
  orTaken(() =>
    inTransaction(db, async (tx) => {
      const claim = await redeemToken(tx, CHANGE, token, Claim)
      if (!claim) return 'useless'
      const { userId, from, to } = claim
      if (!(await setAddress(tx, userId, to, from))) return 'useless'
      await rememberAddress(tx, userId, from)
      // these links went to the old address
      await revokeTokens(tx, [ADDRESS, RESET], userId)
      const undo = await issueToken(tx, UNDO, claim, UNDO_SECONDS)
      await sendMail(tx, config, {
        key: `email-undo:${hashToken(undo)}`,
        to: from,
        subject: 'Your email address was changed',
        lines: [
          `The address of your account at ${config.storeName} is now ${to}.`,
          'If this wasn’t you, undo the change. The link works for three days. It signs everyone out and removes every way to sign in, except a new password that you choose by email.',
        ],
        action: { label: 'Take it back', url: linkOf(`/api/login/email/undo?token=${seal.seal(undo, from)}`) },
      })
      return 'done'
    }),
  )

/** Gives the account back to its old address, signs everyone out and removes every way to sign in. */
export const undoChange = ({ db, config, linkOf }: Context, token: string): Promise<Outcome> =>
  orTaken(() =>
    inTransaction(db, async (tx) => {
      const claim = await redeemToken(tx, UNDO, token, Claim)
      if (!claim) return 'useless'
      const { userId, from, to } = claim
      if (!(await setAddress(tx, userId, from))) return 'useless'
      await rememberAddress(tx, userId, to)
      await removeWaysIn(tx, userId)
      await sendMail(tx, config, {
        key: `email-undone:${hashToken(token)}`,
        to: from,
        subject: 'Your account is yours again',
        lines: [
          `The address of your account at ${config.storeName} is this one again instead of ${to}, and everyone has been signed out.`,
          'Its password, passkeys, two-factor authentication and linked sign-ins are removed: somebody else may have known or added them. Choose a new password to sign in, then set up again what you used; notifications are off in every browser.',
        ],
        action: { label: 'Choose a new password', url: linkOf('/api/login/forgot') },
      })
      return 'done'
    }),
  )

/** Removes all of them: the shop cannot tell the owner's from an intruder's. */
async function removeWaysIn(tx: Tx, userId: string) {
  await tx.deleteFrom('accounts').where('userId', '=', userId).execute()
  await removePasskeysOf(tx, userId)
  await removeSecondFactor(tx, userId)
  // includes the undo links that later addresses hold
  await revokeTokens(tx, [UNDO, CHANGE, ADDRESS, RESET, CHALLENGE], userId)
  await endSessionsOf(tx, userId)
}

/** False when the account was erased, or its address is not `from`. */
async function setAddress(tx: Tx, userId: string, email: string, from?: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email, emailVerified: true, ...mailArrived, updatedAt: now })
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .$if(from !== undefined, (query) => query.where('email', '=', from!))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Erasing the account also deletes the mails to its former addresses. */
const rememberAddress = (tx: Tx, userId: string, email: string) =>
  tx
    .insertInto('formerAddresses')
    .values({ userId, email })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

async function orTaken(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) !== DUPLICATE) throw error
    return 'taken'
  }
}
