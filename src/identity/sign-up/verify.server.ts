import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { LONGEST_PASSWORD } from '../accounts/account.rules.ts'
import { asPage, countAttempt, countForm, type Desk, tokenOf, tooMany } from '../pages/context.server.ts'
import { readForm } from '../pages/form.server.ts'
import { alert, fields, redirect, renderPage } from '../pages/page.server.ts'
import { isOpening, refuse, refusedOf, type Refused } from '../pages/refusedForm.server.ts'
import { isPassword } from '../password/passwordHash.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { signInAs } from '../sign-in/finishSignIn.server.ts'

const PATH = '/api/login/verify'

/**
 * The mailed link of a sign-up. In the browser that signed up it confirms and signs in. In any other it asks for the
 * password first: so a mail scanner does not use the link up, nobody is signed in to somebody else's account by a link,
 * and nobody confirms an account that a stranger began in their name.
 */
export function verifyRoutes(desk: Desk): Route[] {
  const { signUps, cookies } = desk
  return [
    handleRaw(
      `GET ${PATH}`,
      { access: 'public', about: 'Confirms an email address and signs in.' },
      asPage(desk, async (page) => {
        const token = tokenOf(page)
        const signUp = await signUps.byToken(token)
        if (!signUp) return page.user ? redirect('/', { status: 302 }) : uselessLink(desk)
        const here = await signUps.begunIn(cookies.signUpOf(page.header('cookie')))
        return here?.id === signUp.id
          ? finish(desk, page, token, signUp.returnTo)
          : confirmPage(desk, token, signUp.email, refusedOf(desk, 'verify', page))
      }),
    ),

    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'Confirms an email address in another browser, by the password.', body: 'bytes' },
      asPage(desk, async (page) => {
        const { password } = readForm(page, ['password'])
        const token = tokenOf(page)
        const signUp = await signUps.byToken(token)
        if (!signUp) return uselessLink(desk)
        const tooSoon = await countForm(desk, 'verify', page)
        const attempt = await countAttempt(desk, 'verify', page, signUp.id)
        const wait = tooSoon || attempt.wait
        if (wait) return refuseConfirm(desk, page, signUp.email, { wait })
        if (password.length > LONGEST_PASSWORD || !(await isPassword(password, signUp.passwordHash))) {
          const problems = { password: 'That is not the password you chose when you signed up.' }
          return refuseConfirm(desk, page, signUp.email, { status: 401, problems })
        }
        await attempt.forgive()
        return finish(desk, page, token, signUp.returnTo)
      }),
    ),
  ]
}

async function finish(desk: Desk, page: Page, token: string, returnTo: string): Promise<Answer> {
  const { signUps, cookies } = desk
  const finished = await signUps.finish(token)
  if (finished === null) return uselessLink(desk)
  if (finished === 'known') return knownPage(desk, returnTo)
  const session = await signInAs(desk, page, finished.userId)
  return redirect(returnTo, { cookies: [session, cookies.endSignUp()] })
}

const addressOf = (token: string) => `${PATH}?token=${encodeURIComponent(token)}`

const refuseConfirm = (desk: Desk, page: Page, email: string, refused: Refused) =>
  isOpening(page)
    ? refuse(desk, 'verify', addressOf(tokenOf(page)), refused)
    : confirmPage(desk, tokenOf(page), email, refused)

function confirmPage({ look }: Desk, token: string, email: string, { status, problems = {}, wait }: Refused): Answer {
  return renderPage(look, {
    title: 'Confirm your address',
    lead: html`You are opening the link for <b>${email}</b> in another browser than the one you signed up in. Type the
      password you chose there.`,
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${addressOf(token)}">
        <input type="email" autocomplete="username" value="${email}" readonly hidden />
        ${fields([{ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', longest: LONGEST_PASSWORD }], problems)}
        <button class="btn btn--wide">Confirm and sign in</button>
      </form>
      <p class="hint">You did not sign up? Close this page, and nothing happens.</p>`,
    status,
    isSecret: true,
    wait,
  })
}

function uselessLink({ look }: Desk): Answer {
  return renderPage(look, {
    title: 'This link no longer works',
    lead: 'Each link works once and expires after 24 hours, and only the newest one works. If you’ve already used it, just sign in.',
    content: html`<div class="stack">
      <a class="btn btn--wide" href="/api/login/password">Sign in</a
      ><a class="btn btn--line btn--wide" href="/api/login/sign-up">Sign up again</a>
    </div>`,
    status: 410,
    isSecret: true,
  })
}

function knownPage({ look }: Desk, returnTo: string): Answer {
  return renderPage(look, {
    title: 'You have an account',
    lead: 'This address was confirmed before, with the password chosen then. Sign in with that one.',
    content: html`<a class="btn btn--wide" href="${withReturnTo('/api/login/password', returnTo)}">Sign in</a>`,
    isSecret: true,
  })
}
