import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import * as z from 'zod/mini'
import { CHALLENGE, OUTDATED } from '../password/password.store.server.ts'
import { findToken, redeemToken } from '../token.store.server.ts'
import { noteFailedSignIn } from '../audit/security.server.ts'
import { countAttempt, countForm, type Context, returnToOf } from '../pages/context.server.ts'
import { createForm, getPage, postForm, readForm } from '../pages/form.server.ts'
import { fields, redirect } from '../pages/page.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { trustBrowser, TRUSTED_SECONDS } from '../second-factor/trustedBrowsers.store.server.ts'
import { CODE_PATH, signInAs } from './finishSignIn.server.ts'
import { readCode } from '../second-factor/totp.rules.ts'

const Challenge = z.object({ userId: z.string() })

// limits guesses from many networks; recovery codes do not count
export const PER_DAY: Limit = { per: 'account', count: 60, seconds: 24 * 3600 }

export function codeRoutes(context: Context): Route[] {
  const { db, cookies, secondFactors, limiter } = context
  const form = codeForm(context)
  const challengeOf = (page: Page) => cookies.challenge.of(page.header('cookie'))
  return [
    getPage(context, CODE_PATH, 'The page that asks for the code of a second factor.', async (page) => {
      if (page.user) return redirect(returnToOf(page), { status: 302 })
      return (await findToken(db, CHALLENGE, challengeOf(page), Challenge)) ? form.open(page) : startAnew(page)
    }),

    postForm(context, CODE_PATH, 'Signs in by the code of a second factor.', async (page) => {
      const { code: typed, remember } = readForm(page, ['code', 'remember'])
      const token = challengeOf(page)
      const challenge = await findToken(db, CHALLENGE, token, Challenge)
      if (!challenge) return startAnew(page)
      const { userId } = challenge
      const read = readCode(typed)
      if (!read) return form.refuse(page, { problems: { code: NO_CODE }, status: 400 })
      const attempt = await countAttempt(context, 'code', page, userId)
      const tooOften = read.kind === 'app' ? await limiter.take(`code ${userId}`, PER_DAY) : 0
      const wait = (await countForm(context, 'code', page)) || attempt.wait || tooOften
      if (wait) return form.refuse(page, { wait })
      if (!(await secondFactors.take(userId, typed))) {
        await noteFailedSignIn(context, 'code', { id: userId })
        return form.refuse(page, { problems: { code: WRONG_CODE }, status: 401 })
      }
      let trusted = ''
      const session = await signInAs(context, page, userId, {
        before: async (tx) => {
          if (!(await redeemToken(tx, CHALLENGE, token, Challenge))) throw OUTDATED
          if (remember) trusted = await trustBrowser(tx, userId)
        },
      }).catch((error: unknown) => {
        if (error !== OUTDATED) throw error
      })
      if (!session) return startAnew(page)
      await attempt.forgive()
      if (read.kind === 'app') await limiter.giveBack(`code ${userId}`, PER_DAY)
      return redirect(returnToOf(page), {
        cookies: [...session, cookies.challenge.end(), ...(trusted && [cookies.trusted.set(trusted, TRUSTED_SECONDS)])],
      })
    }),
  ]
}

const NO_CODE = 'Enter the six-digit code from your app, or a recovery code like ABCD-EFGH-2345.'
const WRONG_CODE = 'That code is wrong or was already used. Wait for the next one.'

const startAnew = (page: Page): Answer => redirect(withReturnTo('/api/login/password', returnToOf(page)))

const CODE_FIELD = { name: 'code', label: 'Code', type: 'text', autocomplete: 'one-time-code', longest: 20 } as const

const codeForm = (context: Context) =>
  createForm(context, CODE_PATH, ({ page, refused: { problems } }) => ({
    title: 'Enter your code',
    lead: 'Enter the six-digit code from your authenticator app, or one of your recovery codes.',
    controls: html`${fields([CODE_FIELD], problems)}
      <label class="check"
        ><input type="checkbox" name="remember" value="1" /> Remember this device for 30 days</label
      >`,
    button: 'Sign in',
    after: html`<a class="link" href="${withReturnTo('/api/login/password', returnToOf(page))}">Back to password</a>`,
  }))
