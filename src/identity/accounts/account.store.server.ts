import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import type { Role } from '../../kit/contract.ts'
import { Failure } from '../../kit/failure.ts'
import { recordAct } from '../audit/audit.server.ts'
import { newPasswordProblem } from '../password/commonPasswords.server.ts'
import { putPassword } from '../password/password.store.server.ts'
import { hashPassword } from '../password/passwordHash.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'
import { emailProblem, nameProblem } from './account.rules.ts'
import { tidyEmail } from './email.rules.ts'

/** The columns to set after someone opens a mailed link, which proves that the address accepts mail. */
export const mailArrived = { mailRefusedAt: null, mailRefusal: null } as const

export type Names = { firstName: string | null; lastName: string | null }

const fullName = ({ firstName, lastName }: Names) => [firstName, lastName].filter(Boolean).join(' ')

export type MailChoice =
  'wantsNews' | 'wantsVersions' | 'wantsReviewRequests' | 'wantsReviewMails' | 'wantsMessages' | 'wantsFollows'

export const setMailChoice = (db: Db, key: 'id' | 'email', value: string, choice: MailChoice, isWanted: boolean) =>
  db
    .updateTable('users')
    .set({ [choice]: isWanted, updatedAt: now })
    .where(key, '=', value)
    // skips repeated use of an unsubscribe link, because a write evicts the member's sessions from every node's cache
    .where(choice, '<>', isWanted)
    .execute()

/** Stops newsletters until the owner opens a mailed link. The profile shows the reason. */
export const markMailRefused = (db: Db, email: string, reason: string) =>
  db
    .updateTable('users')
    .set({ mailRefusedAt: now, mailRefusal: reason, updatedAt: now })
    .where('email', '=', email)
    .execute()

/** Returns null if the address already has an account. */
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

/** Reads the address from the database, because the session cache may have an old address. */
export async function addressOf(db: Db, userId: string): Promise<string> {
  const query = db.selectFrom('users').select('email').where('id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).email
}

export type NewUser = {
  email: string
  password?: string
  firstName?: string
  lastName?: string
  role?: Role
  isAdmin?: boolean
  /** Defaults to true for a new account, because the operator entered the address. */
  emailVerified?: boolean
}

/**
 * Creates or changes an account, for the command line, the seed and tests. Only this function sets a role. A new
 * password ends the sessions. A new role revokes the former rights: `revoke_role` in `migrations/02_identity.sql`.
 */
export async function putUser(db: Db, given: NewUser): Promise<string> {
  const email = tidyEmail(given.email)
  const { password, firstName, lastName, isAdmin, emailVerified } = given
  const newRole = given.role ?? (isAdmin === undefined ? undefined : isAdmin ? 'admin' : 'member')
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
      ...(newRole && { role: newRole }),
      ...(!made && emailVerified !== undefined && { emailVerified }),
      ...(!made && firstName !== undefined && { firstName }),
      ...(!made && lastName !== undefined && { lastName }),
    }
    if (Object.keys(changes).length > 0) {
      await tx
        .updateTable('users')
        .set({ ...changes, name: fullName({ ...known, ...changes }), updatedAt: now })
        .where('id', '=', id)
        .execute()
    }
    if (hash) await putPassword(tx, id, hash)
    const hasNewRole = newRole !== undefined && newRole !== role
    if (!made && hash) await endSessionsOf(tx, id)
    const entry = { actorId: null, subjectId: id }
    if (made) await recordAct(tx, { ...entry, act: 'account.added', details: { role: newRole ?? 'member' } })
    else {
      if (hasNewRole) await recordAct(tx, { ...entry, act: 'account.role', details: { role: newRole } })
      if (hash) await recordAct(tx, { ...entry, act: 'account.password' })
    }
    return id
  })
}

export type Profile = Names & {
  picture: { id: string; image: string } | null | undefined
}

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
      updatedAt: now,
    })
    .where('id', '=', userId)
    .execute()
  return picture === undefined ? null : before
}
