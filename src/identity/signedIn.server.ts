import type { Answer, Page } from '../kit/handle.server.ts'
import { beginChallenge, CHALLENGE_LIVES } from './challenges.server.ts'
import { type Desk, fromOf } from './desk.server.ts'
import { redirect } from './pages.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { endSession } from './sessions.server.ts'

// How every way of signing in ends.

export const CODE_PATH = '/api/login/code'

type Asking = Pick<Page, 'ip' | 'header'>

/**
 * The browser gets a session of its own making; whatever it had before is over. Answers its cookie. `isProven` is false
 * where a second factor was left out: the session then begins without a fresh proof.
 */
export async function signInAs(
  { engine, cookies, db }: Desk,
  asking: Asking,
  userId: string,
  { isProven = true } = {},
): Promise<string> {
  const before = cookies.sessionToken(asking.header('cookie'))
  if (before) await endSession(db, before)
  return cookies.setSession(await engine.startSession(userId, fromOf(asking), { isProven }))
}

/** After the password, or what another provider said: on to the code where one is asked for, else signed in. */
export async function goOnAs(desk: Desk, asking: Asking, userId: string, returnTo: string): Promise<Answer> {
  const { db, cookies, secondFactors } = desk
  const isTwoFactor = await secondFactors.isOn(userId)
  if (isTwoFactor && !(await secondFactors.isTrusted(userId, cookies.trustedOf(asking.header('cookie')))))
    return redirect(withReturnTo(CODE_PATH, returnTo), {
      cookies: [cookies.setChallenge(await beginChallenge(db, { userId }), CHALLENGE_LIVES)],
    })
  return redirect(returnTo, { cookies: [await signInAs(desk, asking, userId, { isProven: !isTwoFactor })] })
}
