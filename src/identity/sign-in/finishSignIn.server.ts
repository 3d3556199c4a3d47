import { inTransaction } from '../../kit/database.server.ts'
import type { Answer, Page } from '../../kit/handle.server.ts'
import { beginChallenge, CHALLENGE_LIVES } from './challenge.store.server.ts'
import { type Desk, fromOf } from '../pages/context.server.ts'
import { redirect } from '../pages/page.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { endSession, type SessionOptions } from '../sessions/session.store.server.ts'

// How every way of signing in ends.

export const CODE_PATH = '/api/login/code'

type Asking = Pick<Page, 'ip' | 'header'>

/**
 * The browser gets a session of its own making; whatever it had before is over. Answers its cookie. `isProven` is false
 * where a second factor was left out: the session then begins without a fresh proof.
 */
export async function signInAs(
  { engine, cookies }: Desk,
  asking: Asking,
  userId: string,
  { isProven = true, before }: SessionOptions = {},
): Promise<string> {
  const old = cookies.sessionToken(asking.header('cookie'))
  const token = await engine.startSession(userId, fromOf(asking), {
    isProven,
    before: async (tx) => {
      await before?.(tx)
      if (old) await endSession(tx, old)
    },
  })
  return cookies.setSession(token)
}

/**
 * After the password, or what another provider said: on to the code where one is asked for, else signed in. `before` goes
 * first in the transaction of either.
 */
export async function goOnAs(
  desk: Desk,
  asking: Asking,
  userId: string,
  returnTo: string,
  { before }: Pick<SessionOptions, 'before'> = {},
): Promise<Answer> {
  const { db, cookies, secondFactors } = desk
  const isTwoFactor = await secondFactors.isOn(userId)
  if (isTwoFactor && !(await secondFactors.isTrusted(userId, cookies.trustedOf(asking.header('cookie'))))) {
    const challenge = await inTransaction(db, async (tx) => {
      await before?.(tx)
      return beginChallenge(tx, { userId })
    })
    return redirect(withReturnTo(CODE_PATH, returnTo), { cookies: [cookies.setChallenge(challenge, CHALLENGE_LIVES)] })
  }
  return redirect(returnTo, { cookies: [await signInAs(desk, asking, userId, { isProven: !isTwoFactor, before })] })
}
