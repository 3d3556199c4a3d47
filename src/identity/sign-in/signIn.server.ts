import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { findByPassword, holdPassword, type Matched } from '../password/password.store.server.ts'
import { emailProblem } from '../accounts/account.rules.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { noteFailedSignIn } from '../audit/security.server.ts'
import { countAttempt, countForm, type Context, returnToOf, sameTime } from '../pages/context.server.ts'
import { createForm, getPage, postForm, readForm } from '../pages/form.server.ts'
import { currentPasswordField, emailField, fields, hasProblem, redirect } from '../pages/page.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { goOnAs, unlessOutdated } from './finishSignIn.server.ts'

const PATH = '/api/login/password'

const SIGN_UP = '/api/login/sign-up'

export const beginRoute = handleRaw(
  'GET /api/login',
  { access: 'public', about: 'Where signing in begins.' },
  async (page) => {
    const form = page.query.has('sign-up') ? SIGN_UP : PATH
    return redirect(page.user ? returnToOf(page) : withReturnTo(form, returnToOf(page)), { status: 302 })
  },
)

export function signInRoutes(context: Context): Route[] {
  const { db } = context
  const form = signInForm(context)
  return [
    getPage(context, PATH, 'The sign-in page.', async (page) =>
      page.user ? redirect(returnToOf(page), { status: 302 }) : form.open(page),
    ),

    postForm(context, PATH, 'Signs in by email and password.', async (page) => {
      const { email: typed, password } = readForm(page, ['email', 'password'])
      const email = tidyEmail(typed)
      const problems = { email: emailProblem(email), password: password === '' ? 'Enter your password.' : null }
      if (hasProblem(problems)) return form.refuse(page, { email, problems, status: 400 })

      const tooSoon = await countForm(context, 'sign-in', page)
      if (tooSoon) return form.refuse(page, { email, wait: tooSoon })
      const attempt = await countAttempt(context, 'sign-in', page, email)
      if (attempt.wait) return form.refuse(page, { email, wait: attempt.wait, message: TOO_MANY_WRONG })

      const enough = sameTime()
      const matched = await findByPassword(db, email, password)
      const answer = matched && (await goOn(context, page, matched))
      if (!answer) {
        await noteFailedSignIn(context, 'password', { email })
        await enough
        const message = context.hasSignUp ? `${NO_MATCH} ${WITHOUT_PASSWORD}` : NO_MATCH
        return form.refuse(page, { email, status: 401, message })
      }
      await attempt.forgive()
      return answer
    }),
  ]
}

const goOn = (context: Context, page: Page, matched: Matched): Promise<Answer | null> =>
  unlessOutdated(goOnAs(context, page, matched.userId, returnToOf(page), { before: (tx) => holdPassword(tx, matched) }))

const NO_MATCH = 'That email and password don’t match an account.'
const WITHOUT_PASSWORD = 'Without a password, choose “Email me a link”.'

const TOO_MANY_WRONG = 'Too many wrong passwords for this account from this connection.'

const signInForm = (context: Context) =>
  createForm(context, PATH, ({ page, refused: { email, problems, message, status, wait } }) => ({
    title: 'Sign in',
    hasScript: true,
    lead: context.hasSignUp
      ? html`New here? <a href="${withReturnTo(SIGN_UP, returnToOf(page))}">Create an account</a>`
      : html`No password? <a href="${withReturnTo('/api/login', returnToOf(page))}">Use your sign-in service</a>`,
    before:
      page.query.has('changed') &&
      !status &&
      !wait &&
      html`<p class="note note--ok" role="status">Your password is changed. Sign in with the new one.</p>`,
    controls: fields(
      [emailField(email, 'username webauthn'), currentPasswordField],
      problems,
      wait || message ? 'summary' : undefined,
    ),
    button: 'Sign in',
    after: html`<div class="stack" hidden>
        <button class="btn btn--line btn--wide" type="button" id="passkey">Sign in with a passkey</button>
        <p class="error" id="passkey-problem" aria-live="assertive" hidden></p>
      </div>
      <div class="links">
        ${context.hasSignUp && html`<a class="link" href="${withReturnTo('/api/login/link', returnToOf(page))}">Email me a link</a>`}
        <a class="link" href="${withReturnTo('/api/login/forgot', returnToOf(page))}">Forgot your password?</a>
      </div>`,
  }))
