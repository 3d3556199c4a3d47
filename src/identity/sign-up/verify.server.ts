import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { countForm, type Context, forgiveAttempts, tokenOf } from '../pages/context.server.ts'
import { createForm, getPage, postForm, readForm } from '../pages/form.server.ts'
import { redirect, renderNotice, withCookies } from '../pages/page.server.ts'
import { goOnAs, unlessOutdated } from '../sign-in/finishSignIn.server.ts'
import type { SignUp } from './signUp.store.server.ts'

const PATH = '/api/login/verify'

/**
 * In the browser that asked for it, the mailed link signs in. Other browsers show the address and ask for a press: a
 * mail scanner must not use up the link, and another person's link must not sign in unnoticed.
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
      return here?.browser === signUp.browser ? finish(context, page, token, signUp) : form.open(page, signUp.email)
    }),

    postForm(context, PATH, 'Confirms an email address in another browser and signs in.', async (page) => {
      readForm(page, [])
      const token = tokenOf(page)
      const signUp = await signUps.byToken(token)
      if (!signUp) return uselessLink(context)
      const wait = await countForm(context, 'verify', page)
      return wait ? form.refuse(page, { wait }, signUp.email) : finish(context, page, token, signUp)
    }),
  ]
}

async function finish(context: Context, page: Page, token: string, { email, returnTo }: SignUp): Promise<Answer> {
  const { signUps, cookies } = context
  const userId = await signUps.accountOf(email)
  if (userId === null) return uselessLink(context)
  const before = (tx: Tx) => signUps.redeem(tx, token, userId)
  const answer = await unlessOutdated(goOnAs(context, page, userId, returnTo, { isByMail: true, before }))
  if (!answer) return uselessLink(context)
  await forgiveAttempts(context, 'mail', email)
  return withCookies(answer, [cookies.signUp.end()])
}

const confirmForm = (context: Context) =>
  createForm(context, PATH, ({ owner }) => ({
    title: 'Sign in here?',
    lead: html`You are opening the link for <b>${shownEmail(owner)}</b> in another browser than the one that asked for
      it.`,
    button: 'Confirm and sign in',
    after: html`<p class="hint">If you did not ask for the link, close this page. Nothing happens.</p>`,
    isSecret: true,
  }))

const uselessLink = ({ look }: Context): Answer =>
  renderNotice(look, {
    title: 'This link no longer works',
    lead: 'Each link works once and expires after an hour. After you use one, the others stop working.',
    actions: [
      ['Sign in', '/api/login/password'],
      ['Email me another link', '/api/login/link'],
    ],
    status: 410,
  })
