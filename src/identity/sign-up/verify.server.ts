import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { MAX_PASSWORD_LENGTH } from '../accounts/account.rules.ts'
import { countAttempt, countForm, type Context, tokenOf } from '../pages/context.server.ts'
import { createForm, getPage, ownerField, postForm, readForm } from '../pages/form.server.ts'
import { currentPasswordField, fields, redirect, renderNotice } from '../pages/page.server.ts'
import { isPassword } from '../password/passwordHash.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { signInAs } from '../sign-in/finishSignIn.server.ts'

const PATH = '/api/login/verify'

/**
 * In the browser that signed up, the mailed link confirms the address and signs in. Other browsers need the password: a
 * mail scanner must not use up the link, and the owner must not confirm an account that a stranger began.
 */
export function verifyRoutes(context: Context): Route[] {
  const { signUps, cookies } = context
  const form = confirmForm(context)
  return [
    getPage(context, PATH, 'Confirms an email address and signs in.', async (page) => {
      const token = tokenOf(page)
      const signUp = await signUps.byToken(token)
      if (!signUp) return page.user ? redirect('/', { status: 302 }) : uselessLink(context)
      const here = await signUps.begunIn(cookies.signUp.of(page.header('cookie')))
      return here?.browser === signUp.browser
        ? finish(context, page, token, signUp.returnTo)
        : form.open(page, signUp.email)
    }),

    postForm(context, PATH, 'Confirms an email address in another browser, by the password.', async (page) => {
      const { password } = readForm(page, ['password'])
      const token = tokenOf(page)
      const signUp = await signUps.byToken(token)
      if (!signUp) return uselessLink(context)
      const tooSoon = await countForm(context, 'verify', page)
      const attempt = await countAttempt(context, 'verify', page, signUp.browser)
      const wait = tooSoon || attempt.wait
      if (wait) return form.refuse(page, { wait }, signUp.email)
      if (password.length > MAX_PASSWORD_LENGTH || !(await isPassword(password, signUp.passwordHash))) {
        const problems = { password: 'That is not the password you chose when you signed up.' }
        return form.refuse(page, { status: 401, problems }, signUp.email)
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
  return redirect(returnTo, { cookies: [...session, cookies.signUp.end()] })
}

const confirmForm = (context: Context) =>
  createForm(context, PATH, ({ refused: { problems }, owner }) => ({
    title: 'Confirm your address',
    lead: html`You are opening the link for <b>${shownEmail(owner)}</b> in another browser than the one you signed up
      in. Type the password you chose there.`,
    controls: [ownerField(owner), ...fields([currentPasswordField], problems)],
    button: 'Confirm and sign in',
    after: html`<p class="hint">You did not sign up? Close this page, and nothing happens.</p>`,
    isSecret: true,
  }))

const uselessLink = ({ look }: Context): Answer =>
  renderNotice(look, {
    title: 'This link no longer works',
    lead: 'Each link works once and expires after 24 hours, and only the newest one works. If you’ve already used it, just sign in.',
    actions: [
      ['Sign in', '/api/login/password'],
      ['Sign up again', '/api/login/sign-up'],
    ],
    status: 410,
  })

const knownPage = ({ look }: Context, returnTo: string): Answer =>
  renderNotice(look, {
    title: 'You have an account',
    lead: 'This address was confirmed before, with the password chosen then. Sign in with that one.',
    actions: [['Sign in', withReturnTo('/api/login/password', returnTo)]],
  })
