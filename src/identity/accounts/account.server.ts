import type pg from 'pg'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, type Caller, handle, type Route } from '../../kit/handle.server.ts'
import { changePassword, choosePassword, getAccount, requestVerification, setMails } from './account.contract.ts'
import { newPasswordProblem } from '../password/commonPasswords.server.ts'
import {
  checkPassword,
  holdPassword,
  OUTDATED,
  putPassword,
  notifyPasswordChanged,
  notifyPasswordSet,
  passwordOf,
} from '../password/password.store.server.ts'
import { type MailChoice, setMailChoice } from './account.store.server.ts'
import { readAccount } from './account.statements.server.ts'
import { mailVerification } from '../email/addressCheck.server.ts'
import type { Context } from '../pages/context.server.ts'
import { hashPassword } from '../password/passwordHash.server.ts'
import { endSessionsOf, renewSession } from '../sessions/session.store.server.ts'
import { only } from '../../kit/values/required.ts'

export function accountRoutes(context: Context): Route[] {
  return [
    handle(getAccount, (_, { user, pool }) => accountOf(pool, user.id)),

    handle(setMails, async (chosen, { user, db, pool }) => {
      for (const [choice, isWanted] of Object.entries(chosen) as [MailChoice, boolean | undefined][])
        if (isWanted !== undefined) await setMailChoice(db, 'id', user.id, choice, isWanted)
      return accountOf(pool, user.id)
    }),

    handle(
      changePassword,
      // limits guesses of the password in a browser that was left signed in
      { limits: [{ per: 'account', count: 6, seconds: 15 * 60, isShared: true }] },
      async (input, caller) => {
        const { othersEnded, cookie } = await change(context, caller, input)
        return asJson(JSON.stringify({ othersEnded }), { 'set-cookie': cookie })
      },
    ),

    handle(
      choosePassword,
      { limits: [{ per: 'account', count: 6, seconds: 15 * 60, isShared: true }] },
      async (input, caller) => {
        const { othersEnded, cookie } = await setFirst(context, caller, input)
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
    .select(['email', 'emailVerified', 'mailRefusedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const accountOf = async (pool: pg.Pool, userId: string) => asJson(only(await readAccount(pool, { userId })).json)

type Change = { currentPassword: string; newPassword: string; endOthers?: boolean | undefined }

async function change(
  context: Context,
  caller: Caller<'member'>,
  { currentPassword, newPassword, endOthers = true }: Change,
) {
  const { config, db } = context
  const { user } = caller
  const before = await checkPassword(db, user.id, currentPassword, 'currentPassword')
  if (newPassword === currentPassword) throw refusedPassword('That is the password you have now.')
  await checkNewPassword(newPassword, user.email)
  const hash = await hashPassword(newPassword)
  return inTransaction(db, async (tx) => {
    // of two concurrent changes with the same old password, the second fails
    await holdPassword(tx, { userId: user.id, hash: before })
    await putPassword(tx, user.id, hash)
    const renewed = await renew(context, tx, caller, endOthers)
    await notifyPasswordChanged(tx, config, { id: user.id, email: user.email, isSignedOut: endOthers })
    return renewed
  })
}

/** Gives this browser a new session. Returns its cookie, and how many other sessions ended. */
async function renew({ cookies }: Context, tx: Tx, { user, header }: Caller<'member'>, endOthers: boolean) {
  const own = cookies.sessionToken(header('cookie')) ?? ''
  const othersEnded = endOthers ? await endSessionsOf(tx, user.id, own) : 0
  const token = await renewSession(tx, own)
  if (!token) throw OUTDATED
  return { othersEnded, cookie: cookies.setSession(token) }
}

async function setFirst(
  context: Context,
  caller: Caller<'member'>,
  { newPassword, endOthers = true }: Omit<Change, 'currentPassword'>,
) {
  const { id } = caller.user
  await checkNewPassword(newPassword, caller.user.email)
  const hash = await hashPassword(newPassword)
  return inTransaction(context.db, async (tx) => {
    // of two concurrent calls, the second finds the password of the first
    const { email } = await tx
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if ((await passwordOf(tx, id)) !== null)
      throw new Failure(409, 'This account has a password. Enter it to change it.', 'has_password')
    await putPassword(tx, id, hash)
    await notifyPasswordSet(tx, context.config, { id, email })
    return renew(context, tx, caller, endOthers)
  })
}

const refusedPassword = (problem: string) => new Failure(400, problem, 'invalid', { details: { field: 'newPassword' } })

async function checkNewPassword(password: string, email: string) {
  const problem = await newPasswordProblem(password, email)
  if (problem) throw refusedPassword(problem)
}
