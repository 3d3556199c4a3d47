import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, Tx } from '../../kit/database.server.ts'

// Between the password and the code there is no session, only this: a row that says whose password was right, and its
// secret in a cookie.

export const CHALLENGE_LIVES = 10 * 60

const Challenge = z.object({ userId: z.string() })
export type Challenge = z.infer<typeof Challenge>

const textOf = ({ userId }: Challenge) => JSON.stringify({ userId })
const identifierOf = (token: string) => `sign-in:${createHash('sha256').update(token).digest('base64url')}`

/** Answers the value of the cookie. */
export async function beginChallenge(db: Db | Tx, challenge: Challenge): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db
    .insertInto('verifications')
    .values({
      identifier: identifierOf(token),
      value: textOf(challenge),
      expiresAt: sql<Date>`now() + make_interval(secs => ${CHALLENGE_LIVES})`,
    })
    .execute()
  return token
}

export async function findChallenge(db: Db, token: string): Promise<Challenge | null> {
  if (token === '') return null
  const row = await db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifierOf(token))
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ? Challenge.parse(JSON.parse(row.value)) : null
}

/** False when it was ended before: it opens one session and no more. */
export async function endChallenge(db: Db | Tx, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(token))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** A new password: whoever knew the old one starts anew. */
export async function endChallengesOf(db: Db | Tx, userId: string) {
  await db
    .deleteFrom('verifications')
    .where('identifier', 'like', 'sign-in:%')
    .where('value', '=', textOf({ userId }))
    .execute()
}
