import { inTransaction } from '../../kit/database.server.ts'
import type { Answer } from '../../kit/handle.server.ts'
import type { Context } from '../pages/context.server.ts'
import { redirect } from '../pages/page.server.ts'
import { CHALLENGE } from '../password/password.store.server.ts'
import { issueToken } from '../token.store.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { endSession, type From, insertSession, type SessionOptions } from '../sessions/session.store.server.ts'

export const CODE_PATH = '/api/login/code'
const CHALLENGE_SECONDS = 10 * 60

/** Replaces the browser's session. `isProven` is false where a trusted browser skipped the second factor. */
export async function signInAs(
  { db, cookies, countryOf }: Context,
  asking: From,
  userId: string,
  { isProven = true, before }: SessionOptions = {},
): Promise<string> {
  const old = cookies.sessionToken(asking.header('cookie'))
  const token = await insertSession(db, userId, asking, {
    countryOf,
    isProven,
    before: async (tx) => {
      await before?.(tx)
      if (old) await endSession(tx, old)
    },
  })
  return cookies.setSession(token)
}

/** Continues after the password or the provider: asks for a code, or signs in. `before` runs first in the transaction. */
export async function goOnAs(
  context: Context,
  asking: From,
  userId: string,
  returnTo: string,
  { before }: Pick<SessionOptions, 'before'> = {},
): Promise<Answer> {
  const { db, cookies, secondFactors } = context
  const isTwoFactor = await secondFactors.isOn(userId)
  if (isTwoFactor && !(await secondFactors.isTrusted(userId, cookies.trusted.of(asking.header('cookie'))))) {
    const challenge = await inTransaction(db, async (tx) => {
      await before?.(tx)
      return issueToken(tx, CHALLENGE, { userId }, CHALLENGE_SECONDS)
    })
    return redirect(withReturnTo(CODE_PATH, returnTo), {
      cookies: [cookies.challenge.set(challenge, CHALLENGE_SECONDS)],
    })
  }
  return redirect(returnTo, { cookies: [await signInAs(context, asking, userId, { isProven: !isTwoFactor, before })] })
}
