import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Db, Tx } from '../../kit/database.server.ts'

// Links that are mailed: the token is in the mail alone, here is its hash with what it stands for.

export const hashOfLink = (token: string) => createHash('sha256').update(token).digest('base64url')
const identifierOf = (kind: string, token: string) => `${kind}:${hashOfLink(token)}`

/** Answers the token of a new link of this kind; it works for `seconds`. */
export async function makeLink(tx: Tx, kind: string, claim: { userId: string }, seconds: number): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await tx
    .insertInto('verifications')
    .values({
      identifier: identifierOf(kind, token),
      value: JSON.stringify(claim),
      expiresAt: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .execute()
  return token
}

/** What a link stands for, as long as it works. */
export async function findLink<Claim extends z.ZodMiniType>(
  db: Db | Tx,
  kind: string,
  token: string,
  claim: Claim,
): Promise<z.output<Claim> | null> {
  const row = await db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifierOf(kind, token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ? claim.parse(JSON.parse(row.value)) : null
}

/** False when it was used up before. */
export async function useLink(tx: Tx, kind: string, token: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(kind, token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Every link of these kinds for one account stops working. */
export async function endLinks(tx: Tx, kinds: string[], userId: string) {
  for (const kind of kinds) {
    await tx
      .deleteFrom('verifications')
      .where('identifier', 'like', `${kind}:%`)
      .where('value', 'like', '{%')
      .where(sql`value::jsonb ->> 'userId'`, '=', userId)
      .execute()
  }
}
