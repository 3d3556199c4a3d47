import { type Answer, handleRaw, type Page, type Route } from '../kit/handle.server.ts'
import { html } from '../kit/html.server.ts'
import { emailProblem, LONGEST_EMAIL, LONGEST_PASSWORD, tidyEmail } from './account.rules.ts'
import { asPage, countAttempt, countForm, type Desk, fromOf, returnToOf, sameTime, tooMany } from './desk.server.ts'
import { beginChallenge, CHALLENGE_LIVES } from './challenges.server.ts'
import { CODE_PATH } from './code.server.ts'
import { readForm } from './form.server.ts'
import { alert, fields, hasProblem, redirect, renderPage } from './pages.server.ts'
import { isOpening, refuse, refusedOf, type Refused } from './refused.server.ts'
import { withReturnTo } from './returnTo.rules.ts'
import { endSession } from './sessions.server.ts'

const PATH = '/api/login/password'

export function signInRoutes(desk: Desk): Route[] {
  const { engine, cookies, db } = desk
  return [
    handleRaw('GET /api/login', { access: 'public', about: 'Where signing in begins.' }, async (page) =>
      redirect(page.user ? returnToOf(page) : withReturnTo(PATH, returnToOf(page)), { status: 302 }),
    ),

    handleRaw(`GET ${PATH}`, { access: 'public', about: 'The sign-in page.' }, async (page) =>
      page.user
        ? redirect(returnToOf(page), { status: 302 })
        : signInPage(desk, page, refusedOf(desk, 'sign-in', page)),
    ),

    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'Signs in by email and password.', body: 'bytes' },
      asPage(desk, async (page) => {
        const { email: typed, password } = readForm(page, ['email', 'password'])
        const email = tidyEmail(typed)
        const problems = { email: emailProblem(email), password: password === '' ? 'Enter your password.' : null }
        if (hasProblem(problems)) return refuseSignIn(desk, page, { email, problems, status: 400 })

        const tooSoon = countForm(desk, 'sign-in', page)
        if (tooSoon) return refuseSignIn(desk, page, { email, wait: tooSoon })
        const attempt = countAttempt(desk, 'sign-in', page, email)
        if (attempt.wait) return refuseSignIn(desk, page, { email, wait: attempt.wait, message: TOO_MANY_WRONG })

        const enough = sameTime()
        const token = await engine.signIn(email, password, fromOf(page))
        if (!token) {
          await enough
          return refuseSignIn(desk, page, { email, status: 401, message: NO_MATCH })
        }
        attempt.forgive()
        const challenge = await challengeFor(desk, page, token)
        if (challenge) {
          return redirect(withReturnTo(CODE_PATH, returnToOf(page)), {
            cookies: [cookies.setChallenge(challenge, CHALLENGE_LIVES)],
          })
        }
        // the browser gets a session of its own making; whatever it had before is over
        const before = cookies.sessionToken(page.header('cookie'))
        if (before) await endSession(db, before)
        return redirect(returnToOf(page), { cookies: [cookies.setSession(token)] })
      }),
    ),
  ]
}

/**
 * Where the password is not enough, takes back the session it has made, whose token nobody has seen, and answers what the
 * browser has to come back with; null where it is enough.
 */
async function challengeFor(desk: Desk, page: Page, token: string): Promise<string | null> {
  const { db, cookies, secondFactors } = desk
  const { userId } = await db
    .selectFrom('sessions')
    .select('userId')
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  if (!(await secondFactors.isOn(userId))) return null
  if (await secondFactors.isTrusted(userId, cookies.trustedOf(page.header('cookie')))) return null
  await endSession(db, token)
  return beginChallenge(db, { userId })
}

const NO_MATCH =
  'That email and password do not match an account. If you have just signed up, open the link we mailed you first.'

const TOO_MANY_WRONG = 'Too many wrong passwords for this account from this connection.'

const refuseSignIn = (desk: Desk, page: Page, refused: Refused) =>
  isOpening(page)
    ? refuse(desk, 'sign-in', withReturnTo(PATH, returnToOf(page)), refused)
    : signInPage(desk, page, refused)

function signInPage(desk: Desk, page: Page, state: Refused = {}): Answer {
  const { email = '', problems = {}, status, wait } = state
  const message = tooMany(wait, state.message) ?? state.message
  const returnTo = returnToOf(page)
  return renderPage(desk.look, {
    title: 'Sign in',
    lead: html`New here? <a href="${withReturnTo('/api/login/sign-up', returnTo)}">Create an account</a>`,
    content: html`${page.query.has('changed') && !status && !wait && html`<p class="note note--ok" role="status">Your password is changed. Sign in with the new one.</p>`}
      ${alert(message, problems)}
      <form class="stack" method="post" action="${withReturnTo(PATH, returnTo)}">
        ${fields(
          [
            {
              name: 'email',
              label: 'Email',
              type: 'email',
              autocomplete: 'username',
              value: email,
              longest: LONGEST_EMAIL,
            },
            {
              name: 'password',
              label: 'Password',
              type: 'password',
              autocomplete: 'current-password',
              longest: LONGEST_PASSWORD,
            },
          ],
          problems,
          message && 'summary',
        )}
        <button class="btn btn--wide">Sign in</button>
      </form>
      <a class="link" href="${withReturnTo('/api/login/forgot', returnTo)}">Forgot your password?</a>`,
    status,
    wait,
  })
}
