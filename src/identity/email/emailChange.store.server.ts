import { sql } from 'kysely'
import * as z from 'zod/mini'
import { codeOf, inTransaction, type Tx } from '../../kit/database.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { mailArrived } from './bounces.server.ts'
import { endChallengesOf } from '../sign-in/challenge.store.server.ts'
import type { Desk } from '../pages/context.server.ts'
import { endLinks, findLink, hashOfLink, makeLink, useLink } from './mailedLink.store.server.ts'
import { removePasskeysOf } from '../passkeys/passkey.store.server.ts'
import { removeSecondFactor } from '../second-factor/secondFactor.store.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'

// Another address for an account: proven by a link to the new one, which works in that account alone, and told to the
// old one, which can take it back for three days.

export const CHANGE = 'email-change'
export const UNDO = 'email-undo'
const CHANGE_LIVES = 24 * 3600
const UNDO_LIVES = 72 * 3600
const DUPLICATE = '23505'

export type Claim = z.infer<typeof Claim>
export const Claim = z.object({ userId: z.string(), from: z.string(), to: z.string() })

/** Nobody learns from the answer whether the new address has an account: that is told to the address itself. */
export const askForChange = ({ db, config, linkOf, seal }: Desk, claim: Claim) =>
  inTransaction(db, async (tx) => {
    const { from, to, userId } = claim
    // only the newest link works
    await endLinks(tx, [CHANGE], userId)
    const token = await makeLink(tx, CHANGE, claim, CHANGE_LIVES)
    const isTaken = await tx.selectFrom('users').select('id').where('email', '=', to).executeTakeFirst()
    await sendMail(
      tx,
      config,
      isTaken
        ? {
            key: `email-taken:${hashOfLink(token)}`,
            to,
            subject: 'This address already has an account',
            lines: [
              `Someone asked to use this address for another account at ${config.storeName}. It already has an account, so nothing was changed.`,
              'If that was you, sign in with this address, or change the address of that account first.',
            ],
          }
        : {
            key: `email-change:${hashOfLink(token)}`,
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
      key: `email-asked:${hashOfLink(token)}`,
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

/** The link to the new address was pressed by the account's owner. */
export const confirmChange = (desk: Desk, token: string, claim: Claim): Promise<Outcome> =>
  orTaken(async () => {
    const { db, config, linkOf, seal, engine } = desk
    const { userId, from, to } = claim
    const isDone = await inTransaction(db, async (tx) => {
      if (!(await useLink(tx, CHANGE, token)) || !(await setAddress(tx, userId, to, from))) return false
      await rememberAddress(tx, userId, from)
      await endLinks(tx, ['address'], userId)
      const undo = await makeLink(tx, UNDO, claim, UNDO_LIVES)
      await sendMail(tx, config, {
        key: `email-undo:${hashOfLink(undo)}`,
        to: from,
        subject: 'Your email address was changed',
        lines: [
          `The address of your account at ${config.storeName} is now ${to}.`,
          'If this wasn’t you, undo the change. The link works for three days. It signs everyone out and removes every way to sign in, except a new password that you choose by email.',
        ],
        action: { label: 'Take it back', url: linkOf(`/api/login/email/undo?token=${seal.seal(undo, from)}`) },
      })
      return true
    })
    // links to choose a new password went to the old address
    if (isDone) await engine.endResets(userId)
    return isDone ? 'done' : 'useless'
  })

/** The old address takes the account back: everybody is signed out, and no way in is left but a new password by mail. */
export const undoChange = ({ db, engine, config, linkOf }: Desk, token: string): Promise<Outcome> =>
  orTaken(async () => {
    const claim = await findLink(db, UNDO, token, Claim)
    if (!claim) return 'useless'
    const { userId, from, to } = claim
    const isDone = await inTransaction(db, async (tx) => {
      if (!(await useLink(tx, UNDO, token)) || !(await setAddress(tx, userId, from))) return false
      // the links that later addresses hold, and what somebody else may have prepared
      await endLinks(tx, [UNDO, CHANGE, 'address'], userId)
      await rememberAddress(tx, userId, to)
      await removeWaysIn(tx, userId)
      await sendMail(tx, config, {
        key: `email-undone:${hashOfLink(token)}`,
        to: from,
        subject: 'Your account is yours again',
        lines: [
          `The address of your account at ${config.storeName} is this one again instead of ${to}, and everyone has been signed out.`,
          'Its password, passkeys, two-factor authentication and linked sign-ins are removed: somebody else may have known or added them. Choose a new password to sign in, then set up again what you used; notifications are off in every browser.',
        ],
        action: { label: 'Choose a new password', url: linkOf('/api/login/forgot') },
      })
      return true
    })
    if (isDone) await engine.endResets(userId)
    return isDone ? 'done' : 'useless'
  })

/** Nobody can tell any more which of them are the owner's. */
async function removeWaysIn(tx: Tx, userId: string) {
  await tx.deleteFrom('accounts').where('userId', '=', userId).execute()
  await removePasskeysOf(tx, userId)
  await removeSecondFactor(tx, userId)
  await endChallengesOf(tx, userId)
  await endSessionsOf(tx, userId)
}

/** False when the account has another address than `from` by now, or was erased. */
async function setAddress(tx: Tx, userId: string, email: string, from?: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email, emailVerified: true, ...mailArrived, updatedAt: sql`now()` })
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .$if(from !== undefined, (query) => query.where('email', '=', from!))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What was mailed there is found when the account is erased. */
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
