import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import type { MailSeal } from '../../kit/mail/mailSeal.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { insertUser, mailArrived } from '../accounts/account.store.server.ts'
import { removeWaysIn } from '../accounts/waysIn.store.server.ts'
import { isRestorable } from '../email/undo.store.server.ts'
import { OUTDATED, SIGN_UP } from '../password/password.store.server.ts'
import {
  expiryIn,
  findToken,
  hashToken,
  newToken,
  redeemToken,
  revokeLinksTo,
  tokenIdentifier,
} from '../token.store.server.ts'
import { mailText } from '../mails.server.ts'

// A sign-up is only a token until its mailed link is opened. The link of an address with an account signs in, so that
// neither response nor timing reveals which addresses have accounts.

export const SIGN_UP_SECONDS = 3600

const SignUp = z.object({ email: z.string(), returnTo: z.string(), browser: z.string() })
export type SignUp = z.infer<typeof SignUp>

const RESTORABLE = new Error('the address can be taken back by another account')

const findUser = (tx: Tx, email: string) =>
  tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()

export type SignUps = ReturnType<typeof createSignUps>

type Shop = { config: Pick<Config, 'storeName'>; db: Db; linkOf: (path: string) => string; seal: MailSeal }

export function createSignUps({ config, db, linkOf, seal }: Shop) {
  /** Stores a sign-up and mails its link. Returns the cookie value that marks the browser it began in. */
  async function begin(given: Omit<SignUp, 'browser'>): Promise<string> {
    const secret = newToken()
    const id = await inTransaction(db, async (tx) => {
      const token = newToken()
      const { id } = await tx
        .insertInto('verifications')
        .values({
          identifier: tokenIdentifier(SIGN_UP, token),
          value: JSON.stringify({ ...given, browser: hashToken(secret) } satisfies SignUp),
          expiresAt: expiryIn(SIGN_UP_SECONDS),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await mail(tx, given.email, token)
      return id
    })
    return `${id}.${secret}`
  }

  async function begunIn(cookie: string): Promise<(SignUp & { id: string }) | null> {
    const [id = '', secret = ''] = cookie.split('.')
    if (!isUuid(id)) return null
    const row = await db
      .selectFrom('verifications')
      .select(['id', 'value'])
      .where('id', '=', id)
      .where('identifier', 'like', `${SIGN_UP}:%`)
      .where('expiresAt', '>', now)
      .where(sql`value ->> 'browser'`, '=', hashToken(secret))
      .executeTakeFirst()
    return row ? { ...SignUp.parse(row.value), id: row.id } : null
  }

  async function mailAgain({ id, email }: { id: string; email: string }) {
    const token = newToken()
    await inTransaction(db, async (tx) => {
      await tx
        .updateTable('verifications')
        .set({
          identifier: tokenIdentifier(SIGN_UP, token),
          expiresAt: expiryIn(SIGN_UP_SECONDS),
          updatedAt: now,
        })
        .where('id', '=', id)
        .execute()
      await mail(tx, email, token)
    })
  }

  const byToken = (token: string) => findToken(db, SIGN_UP, token, SignUp)

  /** Returns the account of the address. Creates a missing account. Returns null for a restorable address. */
  const accountOf = (email: string): Promise<string | null> =>
    inTransaction(db, async (tx) => {
      const created = await insertUser(tx, { email, firstName: null, lastName: null, isEmailVerified: true })
      // after the insert, which waits for a concurrent change of the address
      if (created && (await isRestorable(tx, email))) throw RESTORABLE
      return created ?? (await findUser(tx, email))?.id ?? null
    }).catch((error: unknown) => {
      if (error !== RESTORABLE) throw error
      return null
    })

  /** Uses the link in the transaction that signs in. Throws OUTDATED if it was used or revoked meanwhile. */
  async function redeem(tx: Tx, token: string, userId: string) {
    // lock order: user, token, as in every change of these rows
    const user = await tx
      .selectFrom('users')
      .select(['email', 'emailVerified'])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const signUp = await redeemToken(tx, SIGN_UP, token, SignUp)
    if (!user || signUp?.email !== user.email) throw OUTDATED
    await revokeLinksTo(tx, SIGN_UP, userId)
    // the creator of the account may not own the address
    if (!user.emailVerified) await removeWaysIn(tx, userId)
    await tx
      .updateTable('users')
      .set({ emailVerified: true, ...mailArrived, updatedAt: now })
      .where('id', '=', userId)
      .execute()
  }

  async function mail(tx: Tx, email: string, token: string) {
    const given = { id: hashToken(token), to: email }
    const url = linkOf(`/api/login/verify?token=${seal.seal(token, email)}`)
    if (await findUser(tx, email)) await mailText(tx, config, 'sign-in-link', { ...given, url })
    else if (await isRestorable(tx, email)) await mailText(tx, config, 'address-moved', given)
    else await mailText(tx, config, 'sign-up', { ...given, url })
  }

  return { begin, begunIn, mailAgain, byToken, accountOf, redeem }
}
