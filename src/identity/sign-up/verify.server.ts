import { type Answer, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { LONGEST_PASSWORD } from '../accounts/account.rules.ts'
import { countAttempt, countForm, type Context, tokenOf, tooMany } from '../pages/context.server.ts'
import { getPage, postForm } from '../pages/route.server.ts'
import { readForm } from '../pages/form.server.ts'
import { alert, currentPasswordField, fields, redirect, renderPage } from '../pages/page.server.ts'
import { isOpening, refuse, refusedOf, type Refused } from '../pages/refusedForm.server.ts'
import { isPassword } from '../password/passwordHash.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { signInAs } from '../sign-in/finishSignIn.server.ts'

const PATH = '/api/login/verify'

/**
 * The mailed link of a sign-up confirms and signs in, in the browser that signed up. Any other browser needs the password:
 * a mail scanner must not use the link up, and the owner must not confirm an account that a stranger began.
 */
export function verifyRoutes(context: Context): Route[] {
  const { signUps, cookies } = context
  return [
    getPage(context, PATH, 'Confirms an email address and signs in.', async (page) => {
      const token = tokenOf(page)
      const signUp = await signUps.byToken(token)
      if (!signUp) return page.user ? redirect('/', { status: 302 }) : uselessLink(context)
      const here = await signUps.begunIn(cookies.signUpOf(page.header('cookie')))
      return here?.browser === signUp.browser
        ? finish(context, page, token, signUp.returnTo)
        : confirmPage(context, token, signUp.email, refusedOf(context, 'verify', page))
    }),

    postForm(context, PATH, 'Confirms an email address in another browser, by the password.', async (page) => {
      const { password } = readForm(page, ['password'])
      const token = tokenOf(page)
      const signUp = await signUps.byToken(token)
      if (!signUp) return uselessLink(context)
      const tooSoon = await countForm(context, 'verify', page)
      const attempt = await countAttempt(context, 'verify', page, signUp.browser)
      const wait = tooSoon || attempt.wait
      if (wait) return refuseConfirm(context, page, signUp.email, { wait })
      if (password.length > LONGEST_PASSWORD || !(await isPassword(password, signUp.passwordHash))) {
        const problems = { password: 'That is not the password you chose when you signed up.' }
        return refuseConfirm(context, page, signUp.email, { status: 401, problems })
      }
      await attempt.forgive()
      return finish(context, page, token, signUp.returnTo)
    }),
  ]
}

async function finish(context: Context, page: Page, token: string, returnTo: string): Promise<Answer> {
  const { signUps, cookies } = context
  const finished = await signUps.finish(token)
  if (finished === null) return uselessLink(context)
  if (finished === 'known') return knownPage(context, returnTo)
  const session = await signInAs(context, page, finished.userId)
  return redirect(returnTo, { cookies: [session, cookies.endSignUp()] })
}

const addressOf = (token: string) => `${PATH}?token=${encodeURIComponent(token)}`

const refuseConfirm = (context: Context, page: Page, email: string, refused: Refused) =>
  isOpening(page)
    ? refuse(context, 'verify', addressOf(tokenOf(page)), refused)
    : confirmPage(context, tokenOf(page), email, refused)

function confirmPage(
  { look }: Context,
  token: string,
  email: string,
  { status, problems = {}, wait }: Refused,
): Answer {
  return renderPage(look, {
    title: 'Confirm your address',
    lead: html`You are opening the link for <b>${email}</b> in another browser than the one you signed up in. Type the
      password you chose there.`,
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${addressOf(token)}">
        <input type="email" autocomplete="username" value="${email}" readonly hidden />
        ${fields([currentPasswordField], problems)}
        <button class="btn btn--wide">Confirm and sign in</button>
      </form>
      <p class="hint">You did not sign up? Close this page, and nothing happens.</p>`,
    status,
    isSecret: true,
    wait,
  })
}

function uselessLink({ look }: Context): Answer {
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

function knownPage({ look }: Context, returnTo: string): Answer {
  return renderPage(look, {
    title: 'You have an account',
    lead: 'This address was confirmed before, with the password chosen then. Sign in with that one.',
    content: html`<a class="btn btn--wide" href="${withReturnTo('/api/login/password', returnTo)}">Sign in</a>`,
    isSecret: true,
  })
}
