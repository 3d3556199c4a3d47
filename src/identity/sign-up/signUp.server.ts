import { type Answer, type Page, type Route } from '../../kit/handle.server.ts'
import { type Html, html } from '../../kit/html.server.ts'
import { tidyText } from '../../kit/text.rules.ts'
import { emailProblem, LONGEST_NAME, nameProblem, tidyEmail } from '../accounts/account.rules.ts'
import {
  countAttempt,
  countForm,
  type Context,
  keptMailsNote,
  returnToOf,
  sameTime,
  tooMany,
} from '../pages/context.server.ts'
import { getPage, postForm } from '../pages/route.server.ts'
import { readForm } from '../pages/form.server.ts'
import { alert, emailField, newPasswordField, fields, hasProblem, redirect, renderPage } from '../pages/page.server.ts'
import { isOpening, refuse, refusedOf, type Refused } from '../pages/refusedForm.server.ts'
import { newPasswordProblem } from '../password/commonPasswords.server.ts'
import { hashPassword } from '../password/passwordHash.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { SIGN_UP_SECONDS } from './signUp.store.server.ts'

const PATH = '/api/login/sign-up'
const SENT = '/api/login/verify-sent'

/** Sign-up until the mail. Answers are the same whether or not the address has an account. */
export function signUpRoutes(context: Context): Route[] {
  const { cookies, signUps } = context
  return [
    getPage(context, PATH, 'The sign-up page.', async (page) =>
      page.user
        ? redirect(returnToOf(page), { status: 302 })
        : signUpPage(context, page, refusedOf(context, 'sign-up', page)),
    ),

    postForm(context, PATH, 'Signs up; the account begins with the mailed link.', async (page) => {
      const form = readForm(page, ['firstName', 'lastName', 'email', 'password'])
      const typed = {
        firstName: tidyText(form.firstName),
        lastName: tidyText(form.lastName),
        email: tidyEmail(form.email),
      }
      const problems = {
        firstName: nameProblem(typed.firstName),
        lastName: nameProblem(typed.lastName),
        email: emailProblem(typed.email),
        password: await newPasswordProblem(form.password, typed.email),
      }
      if (hasProblem(problems)) return refuseSignUp(context, page, { ...typed, problems, status: 400 })
      const wait =
        (await countForm(context, 'sign-up', page)) || (await countAttempt(context, 'mail', page, typed.email)).wait
      if (wait) return refuseSignUp(context, page, { ...typed, wait })

      const enough = sameTime()
      const begun = await signUps.begin({
        email: typed.email,
        firstName: typed.firstName || null,
        lastName: typed.lastName || null,
        passwordHash: await hashPassword(form.password),
        returnTo: returnToOf(page),
      })
      await enough
      return redirect(SENT, { cookies: [cookies.setSignUp(begun, SIGN_UP_SECONDS)] })
    }),

    getPage(context, SENT, 'Says that a link was mailed.', (page) =>
      sentPage(context, page, refusedOf(context, 'send-again', page).wait),
    ),

    postForm(context, SENT, 'Mails the link of a sign-up once more.', async (page) => {
      readForm(page, [])
      const begun = await signUps.begunIn(cookies.signUpOf(page.header('cookie')))
      if (!begun) return redirect(PATH)
      const wait =
        (await countForm(context, 'send-again', page)) || (await countAttempt(context, 'mail', page, begun.email)).wait
      if (wait) return isOpening(page) ? refuse(context, 'send-again', SENT, { wait }) : sentPage(context, page, wait)
      const enough = sameTime()
      await signUps.mailAgain(begun)
      await enough
      return redirect(`${SENT}?again=1`)
    }),
  ]
}

const refuseSignUp = (context: Context, page: Page, refused: Refused) =>
  isOpening(page)
    ? refuse(context, 'sign-up', withReturnTo(PATH, returnToOf(page)), refused)
    : signUpPage(context, page, refused)

function signUpPage(context: Context, page: Page, { problems = {}, status, wait, ...typed }: Refused): Answer {
  const returnTo = returnToOf(page)
  const [firstName, lastName, ...rest] = fields(
    [
      {
        name: 'firstName',
        label: 'First name',
        type: 'text',
        autocomplete: 'given-name',
        value: typed.firstName,
        isOptional: true,
        longest: LONGEST_NAME,
      },
      {
        name: 'lastName',
        label: 'Last name',
        type: 'text',
        autocomplete: 'family-name',
        value: typed.lastName,
        isOptional: true,
        longest: LONGEST_NAME,
      },
      emailField(typed.email),
      newPasswordField,
    ],
    problems,
  )
  return renderPage(context.look, {
    title: 'Create an account',
    hasScript: true,
    lead: html`Have one already? <a href="${withReturnTo('/api/login/password', returnTo)}">Sign in</a>`,
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${withReturnTo(PATH, returnTo)}">
        <div class="pair">${[firstName, lastName]}</div>
        ${rest}
        <button class="btn btn--wide">Create account</button>
      </form>`,
    status,
    wait,
  })
}

async function sentPage(context: Context, page: Page, wait?: number): Promise<Answer> {
  const begun = await context.signUps.begunIn(context.cookies.signUpOf(page.header('cookie')))
  const again: Html | null =
    begun &&
    html`<form method="post" action="${SENT}">
      <button class="btn btn--line btn--wide">Send the email again</button>
    </form>`
  return renderPage(context.look, {
    title: 'Check your email',
    lead: begun
      ? html`We have written to <b>${begun.email}</b>. Open the link in that mail to confirm your address; it signs you
          in. It works for 24 hours.`
      : 'Open the link in the email we sent you. It confirms your address and signs you in.',
    content: html`${alert(tooMany(wait))}
      ${page.query.has('again') && !wait && html`<p class="note note--ok" role="status">We sent the email again. Only the newest link works.</p>`}
      ${keptMailsNote(context)} ${again}
      <div class="links">
        <a class="link" href="${PATH}">Use another address</a><a class="link" href="/api/login/password">Sign in</a>
      </div>`,
    wait,
  })
}
