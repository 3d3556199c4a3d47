import { Failure } from '../../kit/failure.ts'
import { type Caller, handle, type Route } from '../../kit/handle.server.ts'
import { addressOf } from '../accounts/account.store.server.ts'
import { checkPassword, passwordOf } from '../password/password.store.server.ts'
import { PER_DAY } from '../sign-in/code.server.ts'
import { noteFailedSignIn } from '../audit/security.server.ts'
import { countAttempt, type Context, tooMany } from '../pages/context.server.ts'
import { isPasswordEnough } from '../sign-in/finishSignIn.server.ts'
import type { KeyProof } from '../passkeys/passkey.contract.ts'
import { withCookie } from '../passkeys/passkey.server.ts'
import { markVerified } from '../sessions/session.store.server.ts'
import { hashToken } from '../token.store.server.ts'
import { mailCode, takeMailedCode } from './mailedCode.store.server.ts'
import { beginStepUp, getStepUp, mailStepUpCode, type StepUp, verifyIdentity } from './stepUp.contract.ts'

/** Routes that give a session the fresh proof of identity that endpoints with `stepUp` require. */
export function stepUpRoutes(context: Context): Route[] {
  const { db, cookies, passkeys, limiter } = context
  const sessionOf = (header: Member['header']) => cookies.sessionToken(header('cookie')) ?? ''
  return [
    handle(getStepUp, async (_, { user }) => ({ ways: await waysOf(context, user.id) })),

    handle(beginStepUp, { limits: [{ per: 'account', count: 30, seconds: 15 * 60 }] }, async (_, { user }) =>
      withCookie(context, await passkeys.beginShowing(user.id)),
    ),

    handle(
      mailStepUpCode,
      { limits: [{ per: 'account', count: 5, seconds: 15 * 60, isShared: true }] },
      async (_, { user, header }) => {
        await checkMailIsAWay(context, user.id)
        const email = await addressOf(db, user.id)
        await mailCode(context, { userId: user.id, email, sessionToken: sessionOf(header) })
        return { sentTo: email }
      },
    ),

    handle(verifyIdentity, async (given, caller) => {
      if (Object.values(given).filter((one) => one !== undefined).length !== 1)
        throw new Failure(400, 'Send one of: a password, a code, a mailed code, a passkey.', 'invalid')
      const attempt = await countAttempt(context, 'step-up', caller, caller.user.id)
      if (attempt.wait) throw new Failure(429, tooMany(attempt.wait)!, 'too_many', { retryAfter: attempt.wait })
      const token = cookies.sessionToken(caller.header('cookie'))
      const note = async (error: unknown) => {
        const isGuess = error instanceof Failure && error.code !== 'other_way'
        if (isGuess) await noteFailedSignIn(context, 'step-up', caller.user)
        throw error
      }
      if (given.passkey) await checkPasskey(context, caller, given.passkey).catch(note)
      else {
        // the limit is per session: a stolen cookie must not use up the owner's attempts in other browsers
        const guesses = `step-up-guess ${hashToken(token ?? '')}`
        const wait = await limiter.take(guesses, PER_DAY)
        if (wait) throw new Failure(429, tooMany(wait)!, 'too_many', { retryAfter: wait })
        if (given.code !== undefined) await checkCode(context, caller, given.code).catch(note)
        else if (given.mailedCode !== undefined)
          await checkMailedCode(context, caller, sessionOf(caller.header), given.mailedCode).catch(note)
        else await checkOnlyPassword(context, caller, given.password!).catch(note)
        await limiter.giveBack(guesses, PER_DAY)
      }
      await attempt.forgive()
      if (token) await markVerified(db, token)
      return { minutes: 10 }
    }),
  ]
}

async function waysOf(context: Context, userId: string): Promise<StepUp['ways']> {
  const { db, passkeys, secondFactors } = context
  const [hasPasskey, isTwoFactor, isEnough, hash] = await Promise.all([
    passkeys.has(userId),
    secondFactors.isOn(userId),
    isPasswordEnough(context, userId),
    passwordOf(db, userId),
  ])
  const ways: StepUp['ways'] = [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(isTwoFactor ? (['code'] as const) : []),
    ...(isEnough && hash !== null ? (['password'] as const) : []),
  ]
  return ways.length > 0 ? ways : ['mail']
}

type Member = Caller<'member'>

async function checkPasskey({ cookies, passkeys }: Context, { user, header }: Member, proof: KeyProof) {
  if ((await passkeys.prove(cookies.ceremony.of(header('cookie')), proof, user.id)) !== user.id)
    throw new Failure(409, 'That passkey wasn’t accepted. Please try again.', 'passkey_refused')
}

async function checkCode({ secondFactors }: Context, { user }: Member, code: string) {
  if (!(await secondFactors.take(user.id, code)))
    throw new Failure(409, 'That code is wrong or was already used. Wait for the next one.', 'wrong_code', {
      details: { field: 'code' },
    })
}

async function checkMailIsAWay(context: Context, userId: string) {
  if (!(await waysOf(context, userId)).includes('mail'))
    throw new Failure(409, 'Use your password, a passkey or a code from your authenticator app.', 'other_way', {
      details: { field: 'code' },
    })
}

async function checkMailedCode(context: Context, { user }: Member, sessionToken: string, code: string) {
  await checkMailIsAWay(context, user.id)
  if (!(await takeMailedCode(context.db, { userId: user.id, sessionToken }, code)))
    throw new Failure(409, 'That code is wrong, was used, or is older than ten minutes.', 'wrong_code', {
      details: { field: 'code' },
    })
}

async function checkOnlyPassword(context: Context, { user }: Member, password: string) {
  if (!(await isPasswordEnough(context, user.id)))
    throw new Failure(409, 'Use a passkey or a code from your authenticator app.', 'other_way', {
      details: { field: 'password' },
    })
  await checkPassword(context.db, user.id, password, 'password')
}
