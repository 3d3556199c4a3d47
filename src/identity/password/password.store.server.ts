import { randomUUID } from 'node:crypto'
import type { Config } from '../../kit/config.server.ts'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { distrustBrowsersOf } from '../second-factor/trustedBrowsers.store.server.ts'
import { revokeLinksTo, revokeTokens } from '../token.store.server.ts'
import { hashPassword, isPassword } from './passwordHash.server.ts'
import { noteFactor } from '../audit/security.server.ts'
import { mailText } from '../mails.server.ts'

export const RESET = 'reset'
export const CHALLENGE = 'sign-in'
export const SIGN_UP = 'sign-in-link'

const credentialOf = (db: Db | Tx, userId: string) =>
  db.selectFrom('accounts').where('userId', '=', userId).where('providerId', '=', 'credential')

/** Sets the password. Also revokes mailed links, sign-ins that wait for a code, and trusted browsers. */
export async function putPassword(tx: Tx, userId: string, hash: string) {
  await tx
    .insertInto('accounts')
    .values({ userId, accountId: userId, providerId: 'credential', password: hash })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'accountId']).doUpdateSet({ password: hash, updatedAt: now }),
    )
    .execute()
  // last, because the statement above waits for concurrent sign-ins that lock the old password
  await revokeTokens(tx, [RESET, CHALLENGE], userId)
  await revokeLinksTo(tx, SIGN_UP, userId)
  await distrustBrowsersOf(tx, userId)
}

export type Matched = { userId: string; hash: string }

/** Returns null if email and password do not match. Always computes one hash, so that the timing reveals nothing. */
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

/** The password, challenge or session became invalid during the request. */
export const OUTDATED = new Failure(401, 'Please sign in again.', 'outdated')

/** Locks the password until the transaction ends. Throws OUTDATED if it changed meanwhile. */
export async function holdPassword(tx: Tx, { userId, hash }: Matched) {
  const held = await credentialOf(tx, userId)
    .select('id')
    .where('password', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!held) throw OUTDATED
}

export async function lockPassword(tx: Tx, userId: string) {
  await credentialOf(tx, userId).select('id').forNoKeyUpdate().execute()
}

export async function passwordOf(db: Db | Tx, userId: string): Promise<string | null> {
  return (await credentialOf(db, userId).select('password').executeTakeFirst())?.password ?? null
}

/** Returns the hash. Throws a 409 Failure if the password is wrong or the account has none. */
export async function checkPassword(db: Db, userId: string, password: string, field: string): Promise<string> {
  const hash = await passwordOf(db, userId)
  if (hash === null)
    throw new Failure(409, 'This account doesn’t have a password yet. Choose one with Change Password in Settings.')
  if (!(await isPassword(password, hash)))
    throw new Failure(409, 'That’s not your current password.', 'wrong_password', { details: { field } })
  return hash
}

export async function notifyPasswordSet(
  tx: Tx,
  config: Pick<Config, 'storeName'>,
  { id, email }: { id: string; email: string },
) {
  await noteFactor(tx, id, 'password')
  await mailText(tx, config, 'password-set', { id: randomUUID(), to: email })
}

export async function notifyPasswordChanged(
  tx: Tx,
  config: Pick<Config, 'storeName'>,
  { id, email, isSignedOut }: { id: string; email: string; isSignedOut: boolean },
) {
  await noteFactor(tx, id, 'password')
  await mailText(tx, config, 'password-changed', {
    id: randomUUID(),
    to: email,
    values: { elsewhere: isSignedOut ? ', and it was signed out everywhere else' : '' },
  })
}
