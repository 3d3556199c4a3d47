import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type Db, now, type Tx } from '../kit/database.server.ts'

// One-time tokens: mailed links, sign-ins that wait for a code, passkey challenges. The table contains only hashes.

export const newToken = () => randomBytes(24).toString('base64url')
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')
export const tokenIdentifier = (kind: string, token: string) => `${kind}:${hashToken(token)}`
export const expiryIn = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

export async function issueToken(db: Db | Tx, kind: string, claim: object, seconds: number): Promise<string> {
  const token = newToken()
  await db
    .insertInto('verifications')
    .values({
      identifier: tokenIdentifier(kind, token),
      value: JSON.stringify(claim),
      expiresAt: expiryIn(seconds),
    })
    .execute()
  return token
}

export async function findToken<Claim extends z.ZodMiniType>(
  db: Db | Tx,
  kind: string,
  token: string,
  claim: Claim,
): Promise<z.output<Claim> | null> {
  if (token === '') return null
  const row = await db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', tokenIdentifier(kind, token))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ? claim.parse(row.value) : null
}

export async function redeemToken<Claim extends z.ZodMiniType>(
  db: Db | Tx,
  kind: string,
  token: string,
  claim: Claim,
): Promise<z.output<Claim> | null> {
  const row = await db
    .deleteFrom('verifications')
    .where('identifier', '=', tokenIdentifier(kind, token))
    .where('expiresAt', '>', now)
    .returning('value')
    .executeTakeFirst()
  return row ? claim.parse(row.value) : null
}

export async function revokeTokens(tx: Db | Tx, kinds: string[], userId: string) {
  await tx
    .deleteFrom('verifications')
    .where(sql`split_part(identifier, ':', 1)`, 'in', kinds)
    .where(sql`value ->> 'userId'`, '=', userId)
    .execute()
}

/** Revokes links of this kind that were mailed to the address of the account. */
export async function revokeLinksTo(tx: Db | Tx, kind: string, userId: string) {
  const { email } = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  await tx
    .deleteFrom('verifications')
    .where(sql`split_part(identifier, ':', 1)`, '=', kind)
    .where(sql`value ->> 'email'`, '=', email)
    .execute()
}
