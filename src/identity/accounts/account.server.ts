import { sql } from 'kysely'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, type Caller, handle, type Route } from '../../kit/handle.server.ts'
import { type Account, changePassword, getAccount, requestVerification, setMails } from './account.contract.ts'
import { newPasswordProblem } from '../password/commonPasswords.server.ts'
import {
  checkPassword,
  holdPassword,
  OUTDATED,
  passwordOf,
  putPassword,
  tellPasswordChanged,
} from '../password/password.store.server.ts'
import { setWantsNews } from './account.store.server.ts'
import { mailVerification } from '../email/addressCheck.server.ts'
import type { Context } from '../pages/context.server.ts'
import { hashPassword } from '../password/passwordHash.server.ts'
import { endSessionsOf, renewSession } from '../sessions/session.store.server.ts'

export function accountRoutes(context: Context): Route[] {
  return [
    handle(getAccount, (_, { user, db }) => readAccount(db, user.id)),

    handle(setMails, async ({ wantsNews }, { user, db }) => {
      await setWantsNews(db, 'id', user.id, wantsNews)
      return readAccount(db, user.id)
    }),

    handle(
      changePassword,
      // limits guesses at a browser that was left signed in
      { limits: [{ per: 'account', count: 6, seconds: 15 * 60, isShared: true }] },
      async (input, caller) => {
        const { othersEnded, cookie } = await change(context, caller, input)
        return asJson(JSON.stringify({ othersEnded }), { 'set-cookie': cookie })
      },
    ),

    handle(
      requestVerification,
      { limits: [{ per: 'account', count: 5, seconds: 15 * 60, isShared: true }] },
      async (_, { user, db }) => {
        const { email, emailVerified, mailRefusedAt } = await ownerOf(db, user.id)
        // an address that bounced needs a new proof
        if (emailVerified && !mailRefusedAt) throw new Failure(409, 'This address is already verified.', 'verified')
        await mailVerification(context, { id: user.id, email })
        return { sentTo: email }
      },
    ),
  ]
}

const ownerOf = (db: Db, id: string) =>
  db
    .selectFrom('users')
    .select(['email', 'emailVerified', 'wantsNews', 'mailRefusedAt'])
    .select(sql<Date | null>`CASE WHEN kept_at > now() - interval '14 days' THEN kept_at END`.as('keptAt'))
    .select(
      sql<Date | null>`(SELECT max(expires_at) FROM risk_blocks WHERE kind = 'account' AND subject = users.id::text
        AND lifted_at IS NULL AND expires_at > now())`.as('pausedUntil'),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function readAccount(db: Db, userId: string): Promise<Account> {
  const [{ wantsNews, email, mailRefusedAt, keptAt, pausedUntil }, hash, session] = await Promise.all([
    ownerOf(db, userId),
    passwordOf(db, userId),
    db
      .selectFrom('sessions')
      .select(({ fn }) => fn.max('createdAt').as('at'))
      .where('userId', '=', userId)
      .executeTakeFirst(),
  ])
  return {
    lastLoginAt: (session?.at ?? new Date()).toISOString(),
    hasPassword: hash !== null,
    wantsNews,
    isMailRefused: mailRefusedAt !== null || (await isMailRefused(db, email)),
    keptAt: keptAt?.toISOString() ?? null,
    pausedUntil: pausedUntil?.toISOString() ?? null,
  }
}

/** True when the recipient's server refused the newest completed mail to this address. */
async function isMailRefused(db: Db, email: string): Promise<boolean> {
  const mail = await db
    .selectFrom('mails')
    .select('refusedAt')
    .where('recipient', '=', email)
    .where((row) => row.or([row('sentAt', 'is not', null), row('refusedAt', 'is not', null)]))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Boolean(mail?.refusedAt)
}

type Change = { currentPassword: string; newPassword: string; endOthers?: boolean | undefined }

async function change(
  { config, db, cookies }: Context,
  { user, header }: Caller<'member'>,
  { currentPassword, newPassword, endOthers = true }: Change,
) {
  const before = await checkPassword(db, user.id, currentPassword, 'currentPassword')
  const problem =
    newPassword === currentPassword
      ? 'That is the password you have now.'
      : await newPasswordProblem(newPassword, user.email)
  if (problem) throw new Failure(400, problem, 'invalid', { details: { field: 'newPassword' } })
  const hash = await hashPassword(newPassword)
  const own = cookies.sessionToken(header('cookie')) ?? ''
  return inTransaction(db, async (tx) => {
    // of two concurrent changes with the same old password, the second fails
    await holdPassword(tx, { userId: user.id, hash: before })
    await putPassword(tx, user.id, hash)
    const othersEnded = endOthers ? await endSessionsOf(tx, user.id, own) : 0
    const token = await renewSession(tx, own)
    if (!token) throw OUTDATED
    await tellPasswordChanged(tx, config, { id: user.id, email: user.email, isSignedOut: endOthers })
    return { othersEnded, cookie: cookies.setSession(token) }
  })
}
