import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { expiryIn, hashToken, newToken } from '../token.store.server.ts'

export const TRUSTED_SECONDS = 30 * 24 * 3600

export async function trustBrowser(tx: Tx, userId: string): Promise<string> {
  const token = newToken()
  const expiresAt = expiryIn(TRUSTED_SECONDS)
  await tx
    .insertInto('trustedBrowsers')
    .values({ tokenHash: hashToken(token), userId, expiresAt })
    .execute()
  return token
}

export async function isTrustedBrowser(db: Db, userId: string, cookie: string): Promise<boolean> {
  if (cookie === '') return false
  const row = await db
    .selectFrom('trustedBrowsers')
    .select('userId')
    .where('tokenHash', '=', hashToken(cookie))
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets the account's trusted browsers, except the one with this cookie. Returns their number. */
export async function distrustBrowsersOf(db: Db | Tx, userId: string, butOf = ''): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('trustedBrowsers')
    .where('userId', '=', userId)
    .where('tokenHash', '<>', hashToken(butOf))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
