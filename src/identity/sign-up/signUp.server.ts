import type { Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { emailProblem } from '../accounts/account.rules.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { countForm, countMail, type Context, keptMailsNote, returnToOf, sameTime } from '../pages/context.server.ts'
import { createForm, getPage, postForm, readForm } from '../pages/form.server.ts'
import { emailField, fields, hasProblem, redirect } from '../pages/page.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { SIGN_UP_SECONDS } from './signUp.store.server.ts'

const PATH = '/api/login/sign-up'
const LINK = '/api/login/link'
const SENT = '/api/login/verify-sent'

export function signUpRoutes(context: Context): Route[] {
  const { cookies, signUps } = context
  const form = signUpForm(context)
  const linkForm = signInLinkForm(context)
  const againForm = sendAgainForm(context)
  return [
    getPage(context, PATH, 'The sign-up page.', async (page) =>
      page.user ? redirect(returnToOf(page), { status: 302 }) : form.open(page),
    ),
    postForm(context, PATH, 'Signs up; the account begins with the mailed link.', (page) => begin(context, form, page)),

    getPage(context, LINK, 'The page that mails a link to sign in.', async (page) =>
      page.user ? redirect(returnToOf(page), { status: 302 }) : linkForm.open(page),
    ),
    postForm(context, LINK, 'Mails a link that signs in.', (page) => begin(context, linkForm, page)),

    getPage(context, SENT, 'Says that a link was mailed.', (page) => againForm.open(page)),

    postForm(context, SENT, 'Mails the link once more.', async (page) => {
      readForm(page, [])
      const begun = await signUps.begunIn(cookies.signUp.of(page.header('cookie')))
      if (!begun) return redirect(PATH)
      const wait = (await countForm(context, 'send-again', page)) || (await countMail(context, page, begun.email))
      if (wait) return againForm.refuse(page, { wait })
      const enough = sameTime()
      await signUps.mailAgain(begun)
      await enough
      return redirect(`${SENT}?again=1`)
    }),
  ]
}

async function begin(context: Context, form: ReturnType<typeof createForm>, page: Page) {
  const email = tidyEmail(readForm(page, ['email']).email)
  const problems = { email: emailProblem(email) }
  if (hasProblem(problems)) return form.refuse(page, { email, problems, status: 400 })
  const wait = (await countForm(context, 'sign-up', page)) || (await countMail(context, page, email))
  if (wait) return form.refuse(page, { email, wait })
  const enough = sameTime()
  const begun = await context.signUps.begin({ email, returnTo: returnToOf(page) })
  await enough
  return redirect(SENT, { cookies: [context.cookies.signUp.set(begun, SIGN_UP_SECONDS)] })
}

const signUpForm = (context: Context) =>
  createForm(context, PATH, ({ page, refused: { email, problems } }) => ({
    title: 'Create an account',
    hasScript: true,
    lead: html`Have one already? <a href="${withReturnTo('/api/login/password', returnToOf(page))}">Sign in</a>`,
    controls: fields([emailField(email)], problems),
    button: 'Continue',
    after: html`<p class="hint">
      We email you a link that signs you in. By creating an account you accept the <a href="/terms">terms</a> and the
      <a href="/refunds">refund rules</a>. The <a href="/privacy">privacy page</a> says what we store.
    </p>`,
  }))

const signInLinkForm = (context: Context) =>
  createForm(context, LINK, ({ page, refused: { email, problems } }) => ({
    title: 'Sign in by email',
    hasScript: true,
    lead: 'Enter your email address. We’ll email you a link that signs you in.',
    controls: fields([emailField(email)], problems),
    button: 'Email me a link',
    after: html`<p class="hint">
        An address without an account gets one, under the <a href="/terms">terms</a> and the
        <a href="/refunds">refund rules</a>.
      </p>
      <a class="link" href="${withReturnTo('/api/login/password', returnToOf(page))}">Back to sign in</a>`,
  }))

const sendAgainForm = (context: Context) =>
  createForm(context, SENT, async ({ page, refused: { wait } }) => {
    const begun = await context.signUps.begunIn(context.cookies.signUp.of(page.header('cookie')))
    return {
      title: 'Check your email',
      lead: begun
        ? html`We sent an email to <b>${begun.email}</b>. Open its link to sign in. The link works for an hour.`
        : 'Open the link in the email we sent you. It signs you in.',
      before: html`${page.query.has('again') && !wait && html`<p class="note note--ok" role="status">We sent the email again. Only the newest link works.</p>`}
      ${keptMailsNote(context)}`,
      button: begun !== null && 'Send the email again',
      isLine: true,
      after: html`<div class="links">
        <a class="link" href="${PATH}">Use another address</a><a class="link" href="/api/login/password">Sign in</a>
      </div>`,
    }
  })
