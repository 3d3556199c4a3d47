import * as z from 'zod/mini'
import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import { codeOf, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { mailArrived } from '../accounts/account.store.server.ts'
import { removeWaysIn } from '../accounts/waysIn.store.server.ts'
import type { Context } from '../pages/context.server.ts'
import { CHALLENGE, RESET, SIGN_UP } from '../password/password.store.server.ts'
import { hashToken, issueToken, redeemToken, revokeLinksTo, revokeTokens } from '../token.store.server.ts'
import { ADDRESS } from './addressCheck.server.ts'
import { UNDO } from './undo.store.server.ts'
import { mailText } from '../mails.server.ts'

// A link in a mail to the new address confirms the change. The old address gets a warning and a link that undoes the
// change for three days.

export const CHANGE = 'email-change'
const CHANGE_SECONDS = 24 * 3600
const UNDO_SECONDS = 72 * 3600
const DUPLICATE = '23505'

export type Claim = z.infer<typeof Claim>
export const Claim = z.object({ userId: z.string(), from: z.string(), to: z.string() })

/** The response does not reveal whether the new address has an account. Only the mail to that address does. */
export const requestChange = ({ db, config, linkOf, seal }: Context, claim: Claim) =>
  inTransaction(db, async (tx) => {
    const { from, to, userId } = claim
    // only the newest link works
    await revokeTokens(tx, [CHANGE], userId)
    const token = await issueToken(tx, CHANGE, claim, CHANGE_SECONDS)
    const isTaken = await tx.selectFrom('users').select('id').where('email', '=', to).executeTakeFirst()
    const id = hashToken(token)
    const url = linkOf(`/api/login/email?token=${seal.seal(token, to)}`)
    if (isTaken) await mailText(tx, config, 'email-taken', { id, to })
    else await mailText(tx, config, 'email-change', { id, to, url })
    const settings = linkOf('/settings')
    await mailText(tx, config, 'email-asked', { id, to: from, url: settings, values: { address: shownEmail(to) } })
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
      // these links were mailed to the old address
      await revokeTokens(tx, [ADDRESS, RESET], userId)
      const undo = await issueToken(tx, UNDO, claim, UNDO_SECONDS)
      const url = linkOf(`/api/login/email/undo?token=${seal.seal(undo, from)}`)
      await mailText(tx, config, 'email-undo', {
        id: hashToken(undo),
        to: from,
        url,
        values: { address: shownEmail(to) },
      })
      return 'done'
    }),
  )

/** Restores the old address of the account, signs everyone out and removes every way to sign in. */
export const undoChange = ({ db, config, linkOf }: Context, token: string): Promise<Outcome> =>
  orTaken(() =>
    inTransaction(db, async (tx) => {
      const claim = await redeemToken(tx, UNDO, token, Claim)
      if (!claim) return 'useless'
      const { userId, from, to } = claim
      if (!(await setAddress(tx, userId, from))) return 'useless'
      await rememberAddress(tx, userId, to)
      // the shop cannot distinguish the ways to sign in of the owner from those of an intruder
      await removeWaysIn(tx, userId)
      // includes the undo links that were mailed to later addresses
      await revokeTokens(tx, [UNDO, CHANGE, ADDRESS, RESET, CHALLENGE], userId)
      await revokeLinksTo(tx, SIGN_UP, userId)
      const url = linkOf('/api/login/forgot')
      await mailText(tx, config, 'email-undone', {
        id: hashToken(token),
        to: from,
        url,
        values: { address: shownEmail(to) },
      })
      return 'done'
    }),
  )

/** Returns false if the account was erased or its address is not `from`. */
async function setAddress(tx: Tx, userId: string, email: string, from?: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email, emailVerified: true, ...mailArrived, updatedAt: now })
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .$call((query) => (from !== undefined ? query.where('email', '=', from) : query))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores a former address, because erasing the account also deletes the mails to its former addresses. */
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
