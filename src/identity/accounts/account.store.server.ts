import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { emailProblem, nameProblem, tidyEmail } from './account.rules.ts'
import { recordAct } from '../audit/audit.server.ts'
import { mailArrived } from '../email/bounces.server.ts'
import { endChallengesOf } from '../sign-in/challenge.store.server.ts'
import { newPasswordProblem } from '../password/commonPasswords.server.ts'
import { hashPassword, isPassword } from '../password/passwordHash.server.ts'
import { distrustBrowsersOf } from '../second-factor/secondFactor.store.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'

export type Names = { firstName: string | null; lastName: string | null }

const fullName = ({ firstName, lastName }: Names) => [firstName, lastName].filter(Boolean).join(' ')

/** Writes a new account; null when the address has one already. */
export async function insertUser(
  tx: Tx,
  account: Names & { email: string; isEmailVerified: boolean },
): Promise<string | null> {
  const { email, isEmailVerified, firstName, lastName } = account
  const user = await tx
    .insertInto('users')
    .values({ email, emailVerified: isEmailVerified, name: fullName(account), firstName, lastName })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return user?.id ?? null
}

/**
 * Sets the account's password; the row is the one the identity library reads at sign-in. What was earned by the old one,
 * short of a session, is gone.
 */
export async function putPassword(tx: Tx, userId: string, hash: string) {
  await tx
    .insertInto('accounts')
    .values({ userId, accountId: userId, providerId: 'credential', password: hash })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'accountId']).doUpdateSet({ password: hash, updatedAt: sql`now()` }),
    )
    .execute()
  // after it, as it waits for sign-ins by the old one that are under way
  await endChallengesOf(tx, userId)
  await distrustBrowsersOf(tx, userId)
}

/** Whose password was right, and the hash that said so: it may be another before anything comes of it. */
export type Matched = { userId: string; hash: string }

/** Whose email and password these are; null when they are nobody's. One hash is computed in any case. */
export async function findByPassword(db: Db, email: string, password: string): Promise<Matched | null> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.userId')
    .select(['users.id', 'accounts.password'])
    .where('users.email', '=', email)
    .where('accounts.providerId', '=', 'credential')
    .executeTakeFirst()
  if (!account?.password) {
    await hashPassword(password)
    return null
  }
  return (await isPassword(password, account.password)) ? { userId: account.id, hash: account.password } : null
}

/** What a sign-in began with is no more. */
export const OUTDATED = new Failure(401, 'Please sign in again.', 'outdated')

/** Throws OUTDATED when that password is gone by now; while the transaction lasts nobody changes it. */
export async function holdPassword(tx: Tx, { userId, hash }: Matched) {
  const held = await tx
    .selectFrom('accounts')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .where('password', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!held) throw OUTDATED
}

/** As it is now: what a session remembers of it may be a moment old. */
export async function addressOf(db: Db, userId: string): Promise<string> {
  const query = db.selectFrom('users').select('email').where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).email
}

export type NewUser = {
  email: string
  /** Left out, an existing account keeps its password and a new one has none until its owner resets it. */
  password?: string
  firstName?: string
  lastName?: string
  isAdmin?: boolean
  /** True unless said otherwise: who runs the shop vouches for the address. */
  emailVerified?: boolean
}

/**
 * Makes an account, or brings the one of this address up to date with what is given. Only the command line, the seed and
 * tests come here: it is the one place that sets a role. A new password or role ends the account's sessions.
 */
export async function putUser(db: Db, given: NewUser): Promise<string> {
  const email = tidyEmail(given.email)
  const { password, firstName, lastName, isAdmin, emailVerified } = given
  const problem =
    emailProblem(email) ??
    nameProblem(firstName ?? '') ??
    nameProblem(lastName ?? '') ??
    (password === undefined ? null : await newPasswordProblem(password, email))
  if (problem) throw new Failure(400, problem)
  const hash = password === undefined ? null : await hashPassword(password)

  return inTransaction(db, async (tx) => {
    const names = { firstName: firstName ?? null, lastName: lastName ?? null }
    const made = await insertUser(tx, { email, isEmailVerified: emailVerified ?? true, ...names })
    const { id, role, ...known } = await tx
      .selectFrom('users')
      .select(['id', 'role', 'firstName', 'lastName'])
      .where('email', '=', email)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const changes = {
      ...(isAdmin !== undefined && { role: isAdmin ? ('admin' as const) : ('member' as const) }),
      ...(!made && emailVerified !== undefined && { emailVerified }),
      ...(!made && firstName !== undefined && { firstName }),
      ...(!made && lastName !== undefined && { lastName }),
    }
    if (Object.keys(changes).length > 0) {
      await tx
        .updateTable('users')
        .set({ ...changes, name: fullName({ ...known, ...changes }), updatedAt: sql`now()` })
        .where('id', '=', id)
        .execute()
    }
    if (hash) await putPassword(tx, id, hash)
    const hasNewRole = isAdmin !== undefined && isAdmin !== (role === 'admin')
    if (!made && (hash || hasNewRole)) await endSessionsOf(tx, id)
    const noted = { actorId: null, subjectId: id }
    if (made) await recordAct(tx, { ...noted, act: 'account.added', details: { role: isAdmin ? 'admin' : 'member' } })
    else {
      if (hasNewRole) await recordAct(tx, { ...noted, act: isAdmin ? 'account.granted' : 'account.revoked' })
      if (hash) await recordAct(tx, { ...noted, act: 'account.password' })
    }
    return id
  })
}

/**
 * After a reset by mailed link: whoever opened it owns the address, and its owner is told.
 */
export async function passwordChanged(
  db: Db,
  config: Pick<Config, 'storeName'>,
  { id, email }: { id: string; email: string },
) {
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ emailVerified: true, ...mailArrived, updatedAt: sql`now()` })
      .where('id', '=', id)
      .execute()
    await mailPasswordChanged(tx, config, { email, isSignedOut: true })
  })
}

/** Tells the owner of an account, whoever did it. */
export const mailPasswordChanged = (
  tx: Tx,
  config: Pick<Config, 'storeName'>,
  { email, isSignedOut }: { email: string; isSignedOut: boolean },
) =>
  sendMail(tx, config, {
    key: `password-changed:${randomUUID()}`,
    to: email,
    subject: 'Your password was changed',
    lines: [
      `The password of your account at ${config.storeName} was changed just now${isSignedOut ? ', and it was signed out everywhere else' : ''}.`,
      'If this wasn’t you, choose a new password right away. Someone may have access to your email.',
    ],
  })

export type Profile = Names & {
  /** The upload it was made of and where it is; null takes the picture away, undefined leaves it. */
  picture: { id: string; image: string } | null | undefined
}

/** Changes what an account shows of itself; answers the upload of a picture that is not shown any more. */
export async function putProfile(tx: Tx, userId: string, profile: Profile): Promise<string | null> {
  const { firstName, lastName, picture } = profile
  const { pictureObjectId: before } = await tx
    .selectFrom('users')
    .select('pictureObjectId')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('users')
    .set({
      firstName,
      lastName,
      name: fullName(profile),
      ...(picture !== undefined && { pictureObjectId: picture?.id ?? null, image: picture?.image ?? null }),
      updatedAt: sql`now()`,
    })
    .where('id', '=', userId)
    .execute()
  return picture === undefined ? null : before
}
