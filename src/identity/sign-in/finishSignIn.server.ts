import { inTransaction } from '../../kit/database.server.ts'
import type { Answer } from '../../kit/handle.server.ts'
import { noteDevice } from '../audit/security.server.ts'
import type { Context } from '../pages/context.server.ts'
import { redirect } from '../pages/page.server.ts'
import { CHALLENGE, OUTDATED } from '../password/password.store.server.ts'
import { isTrustedBrowser } from '../second-factor/trustedBrowsers.store.server.ts'
import { issueToken, newToken } from '../token.store.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { endSession, type From, insertSession, type SessionOptions } from '../sessions/session.store.server.ts'

export const CODE_PATH = '/api/login/code'
const DEVICE_SECONDS = 400 * 24 * 3600
const CHALLENGE_SECONDS = 10 * 60

/** Replaces the browser's session. Returns its cookies. `isProven` is false if a trusted browser skipped the code. */
export async function signInAs(
  context: Context,
  asking: From,
  userId: string,
  { isProven = true, before }: SessionOptions = {},
): Promise<string[]> {
  const { db, cookies, countryOf } = context
  const device = cookies.device.of(asking.header('cookie')) || newToken()
  const old = cookies.sessionToken(asking.header('cookie'))
  const token = await insertSession(db, userId, asking, {
    countryOf,
    isProven,
    before: async (tx) => {
      await before?.(tx)
      if (old) await endSession(tx, old)
    },
    after: (tx) => noteDevice(tx, context, userId, device, asking),
  })
  return [cookies.setSession(token), cookies.device.set(device, DEVICE_SECONDS)]
}

/** Returns false for accounts with a second factor and for staff who have a passkey. */
export async function isPasswordEnough({ db, secondFactors, passkeys }: Context, userId: string): Promise<boolean> {
  if (await secondFactors.isOn(userId)) return false
  const user = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return user?.role === 'member' || !(await passkeys.has(userId))
}

/** Access to a mailbox does not prove the identity of staff. */
async function isMailEnough({ db, secondFactors }: Context, userId: string): Promise<boolean> {
  if (await secondFactors.isOn(userId)) return false
  const user = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return user?.role === 'member'
}

type GoOnOptions = Pick<SessionOptions, 'before'> & { isByMail?: boolean }

/** Requires a code after the password, link or provider, or signs in. `before` runs in the same transaction. */
export async function goOnAs(
  context: Context,
  asking: From,
  userId: string,
  returnTo: string,
  { before, isByMail = false }: GoOnOptions = {},
): Promise<Answer> {
  const { db, cookies, secondFactors } = context
  const isTwoFactor = await secondFactors.isOn(userId)
  if (isTwoFactor && !(await isTrustedBrowser(db, userId, cookies.trusted.of(asking.header('cookie'))))) {
    const challenge = await inTransaction(db, async (tx) => {
      await before?.(tx)
      return issueToken(tx, CHALLENGE, { userId }, CHALLENGE_SECONDS)
    })
    return redirect(withReturnTo(CODE_PATH, returnTo), {
      cookies: [cookies.challenge.set(challenge, CHALLENGE_SECONDS)],
    })
  }
  const isProven = await (isByMail ? isMailEnough : isPasswordEnough)(context, userId)
  return redirect(returnTo, { cookies: await signInAs(context, asking, userId, { isProven, before }) })
}

/** Returns null if the password, link or challenge became invalid during the request. */
export async function unlessOutdated<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    if (error !== OUTDATED) throw error
    return null
  }
}
