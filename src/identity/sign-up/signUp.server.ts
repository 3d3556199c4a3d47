import type { Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { tidyText } from '../../kit/text.rules.ts'
import { emailProblem, MAX_NAME_LENGTH, nameProblem } from '../accounts/account.rules.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { countAttempt, countForm, type Context, keptMailsNote, returnToOf, sameTime } from '../pages/context.server.ts'
import { createForm, getPage, postForm, readForm } from '../pages/form.server.ts'
import { emailField, type Field, fields, hasProblem, newPasswordField, redirect } from '../pages/page.server.ts'
import { newPasswordProblem } from '../password/commonPasswords.server.ts'
import { hashPassword } from '../password/passwordHash.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { SIGN_UP_SECONDS } from './signUp.store.server.ts'

const PATH = '/api/login/sign-up'
const SENT = '/api/login/verify-sent'

export function signUpRoutes(context: Context): Route[] {
  const { cookies, signUps } = context
  const form = signUpForm(context)
  const againForm = sendAgainForm(context)
  return [
    getPage(context, PATH, 'The sign-up page.', async (page) =>
      page.user ? redirect(returnToOf(page), { status: 302 }) : form.open(page),
    ),

    postForm(context, PATH, 'Signs up; the account begins with the mailed link.', async (page) => {
      const { password, ...given } = readForm(page, ['firstName', 'lastName', 'email', 'password'])
      const typed = {
        firstName: tidyText(given.firstName),
        lastName: tidyText(given.lastName),
        email: tidyEmail(given.email),
      }
      const problems = {
        firstName: nameProblem(typed.firstName),
        lastName: nameProblem(typed.lastName),
        email: emailProblem(typed.email),
        password: await newPasswordProblem(password, typed.email),
      }
      if (hasProblem(problems)) return form.refuse(page, { ...typed, problems, status: 400 })
      const wait =
        (await countForm(context, 'sign-up', page)) || (await countAttempt(context, 'mail', page, typed.email)).wait
      if (wait) return form.refuse(page, { ...typed, wait })

      const enough = sameTime()
      const begun = await signUps.begin({
        email: typed.email,
        firstName: typed.firstName || null,
        lastName: typed.lastName || null,
        passwordHash: await hashPassword(password),
        returnTo: returnToOf(page),
      })
      await enough
      return redirect(SENT, { cookies: [cookies.signUp.set(begun, SIGN_UP_SECONDS)] })
    }),

    getPage(context, SENT, 'Says that a link was mailed.', (page) => againForm.open(page)),

    postForm(context, SENT, 'Mails the link of a sign-up once more.', async (page) => {
      readForm(page, [])
      const begun = await signUps.begunIn(cookies.signUp.of(page.header('cookie')))
      if (!begun) return redirect(PATH)
      const wait =
        (await countForm(context, 'send-again', page)) || (await countAttempt(context, 'mail', page, begun.email)).wait
      if (wait) return againForm.refuse(page, { wait })
      const enough = sameTime()
      await signUps.mailAgain(begun)
      await enough
      return redirect(`${SENT}?again=1`)
    }),
  ]
}

const nameField = (name: 'firstName' | 'lastName', value: string | undefined): Field => ({
  name,
  label: name === 'firstName' ? 'First name' : 'Last name',
  type: 'text',
  autocomplete: name === 'firstName' ? 'given-name' : 'family-name',
  value,
  isOptional: true,
  longest: MAX_NAME_LENGTH,
})

const signUpForm = (context: Context) =>
  createForm(context, PATH, ({ page, refused: { firstName, lastName, email, problems } }) => {
    const names = [nameField('firstName', firstName), nameField('lastName', lastName)]
    const [first, last, ...rest] = fields([...names, emailField(email), newPasswordField], problems)
    return {
      title: 'Create an account',
      hasScript: true,
      lead: html`Have one already? <a href="${withReturnTo('/api/login/password', returnToOf(page))}">Sign in</a>`,
      controls: [html`<div class="pair">${[first, last]}</div>`, ...rest],
      button: 'Create account',
      after: html`<p class="hint">
        By creating an account you accept the <a href="/terms">terms</a> and the <a href="/refunds">refund rules</a>.
        The <a href="/privacy">privacy page</a> says what we store.
      </p>`,
    }
  })

const sendAgainForm = (context: Context) =>
  createForm(context, SENT, async ({ page, refused: { wait } }) => {
    const begun = await context.signUps.begunIn(context.cookies.signUp.of(page.header('cookie')))
    return {
      title: 'Check your email',
      lead: begun
        ? html`We have written to <b>${begun.email}</b>. Open the link in that mail to confirm your address; it signs
            you in. It works for 24 hours.`
        : 'Open the link in the email we sent you. It confirms your address and signs you in.',
      before: html`${page.query.has('again') && !wait && html`<p class="note note--ok" role="status">We sent the email again. Only the newest link works.</p>`}
      ${keptMailsNote(context)}`,
      button: begun !== null && 'Send the email again',
      isLine: true,
      after: html`<div class="links">
        <a class="link" href="${PATH}">Use another address</a><a class="link" href="/api/login/password">Sign in</a>
      </div>`,
    }
  })
