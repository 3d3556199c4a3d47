import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import {
  emailProblem,
  LONGEST_EMAIL,
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
  tidyEmail,
} from '../accounts/account.rules.ts'
import { newPasswordProblem } from './commonPasswords.server.ts'
import { passwordChanged } from '../accounts/account.store.server.ts'
import {
  asPage,
  countAttempt,
  countForm,
  type Desk,
  forgiveAttempts,
  keptMailsNote,
  returnToOf,
  sameTime,
  tokenOf,
  tooMany,
} from '../pages/context.server.ts'
import { readForm } from '../pages/form.server.ts'
import { alert, fields, hasProblem, redirect, renderPage } from '../pages/page.server.ts'
import { isOpening, refuse, refusedOf, type Refused } from '../pages/refusedForm.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { endChallengesOf } from '../sign-in/challenge.store.server.ts'
import { distrustBrowsersOf } from '../second-factor/secondFactor.store.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'

const FORGOT = '/api/login/forgot'
const RESET = '/api/login/reset'

/** A forgotten password: ask for a link, and choose a new one by it. */
export function resetRoutes(desk: Desk): Route[] {
  const { engine, db, cookies } = desk
  return [
    handleRaw(`GET ${FORGOT}`, { access: 'public', about: 'The page for a forgotten password.' }, async (page) =>
      page.query.has('sent') ? sentPage(desk, page) : forgotPage(desk, page, refusedOf(desk, 'forgot', page)),
    ),

    handleRaw(
      `POST ${FORGOT}`,
      { access: 'public', about: 'Mails a link to choose a new password.', body: 'bytes' },
      asPage(desk, async (page) => {
        const email = tidyEmail(readForm(page, ['email']).email)
        const problems = { email: emailProblem(email) }
        if (hasProblem(problems)) return refuseForgot(desk, page, { email, problems, status: 400 })
        const wait = (await countForm(desk, 'forgot', page)) || (await countAttempt(desk, 'mail', page, email)).wait
        if (wait) return refuseForgot(desk, page, { email, wait })
        const enough = sameTime()
        await engine.requestReset(email, returnToOf(page))
        await enough
        return redirect(withReturnTo(`${FORGOT}?sent=1`, returnToOf(page)))
      }),
    ),

    handleRaw(
      `GET ${RESET}`,
      { access: 'public', about: 'The page to choose a new password.' },
      asPage(desk, async (page) => {
        const owner = await ownerOf(desk, page)
        return owner ? resetPage(page, desk, owner.email, refusedOf(desk, 'reset', page)) : uselessLink(desk, page)
      }),
    ),

    handleRaw(
      `POST ${RESET}`,
      { access: 'public', about: 'Sets a new password and ends all sessions of the account.', body: 'bytes' },
      asPage(desk, async (page) => {
        const { password } = readForm(page, ['password'])
        const wait = await countForm(desk, 'reset', page)
        const owner = await ownerOf(desk, page)
        if (!owner) return uselessLink(desk, page)
        if (wait) return refuseReset(desk, page, owner.email, { wait })
        const problems = { password: await newPasswordProblem(password, owner.email) }
        if (hasProblem(problems)) return refuseReset(desk, page, owner.email, { problems, status: 400 })
        // first, so that a stop in between leaves nobody signed in; the library ends them once more
        await endSessionsOf(db, owner.id)
        if (!(await engine.resetPassword(tokenOf(page), password))) return uselessLink(desk, page)
        // the links of other mails, and with them whoever reads those mails
        await engine.endResets(owner.id)
        await endChallengesOf(db, owner.id)
        await distrustBrowsersOf(db, owner.id)
        // a sign-in that was under way with a code has ended its challenge, and has its session by now
        await endSessionsOf(db, owner.id)
        // they were made on a password that is no more
        await forgiveAttempts(desk, 'sign-in', owner.email)
        await passwordChanged(db, desk.config, owner)
        return redirect(withReturnTo('/api/login/password?changed=1', returnToOf(page)), {
          cookies: [cookies.endSession()],
        })
      }),
    ),
  ]
}

async function ownerOf({ engine, db }: Desk, page: Page) {
  const id = await engine.resetOwner(tokenOf(page))
  return id === null
    ? undefined
    : db.selectFrom('users').select(['id', 'email']).where('id', '=', id).executeTakeFirst()
}

const refuseForgot = (desk: Desk, page: Page, refused: Refused) =>
  isOpening(page)
    ? refuse(desk, 'forgot', withReturnTo(FORGOT, returnToOf(page)), refused)
    : forgotPage(desk, page, refused)

function forgotPage(desk: Desk, page: Page, { email = '', problems = {}, status, wait }: Refused): Answer {
  const returnTo = returnToOf(page)
  return renderPage(desk.look, {
    title: 'Forgot your password?',
    lead: 'Enter your email address. If it has an account, we’ll email you a link to choose a new password.',
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${withReturnTo(FORGOT, returnTo)}">
        ${fields([{ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, longest: LONGEST_EMAIL }], problems)}
        <button class="btn btn--wide">Email me a link</button>
      </form>
      <a class="link" href="${withReturnTo('/api/login/password', returnTo)}">Back to sign in</a>`,
    status,
    wait,
  })
}

function sentPage(desk: Desk, page: Page): Answer {
  const returnTo = returnToOf(page)
  return renderPage(desk.look, {
    title: 'Check your email',
    lead: 'If that address has an account, a link to choose a new password is on its way. It works once and expires after an hour.',
    content: html`${keptMailsNote(desk)}
      <div class="links">
        <a class="link" href="${withReturnTo(FORGOT, returnTo)}">Use another address</a
        ><a class="link" href="${withReturnTo('/api/login/password', returnTo)}">Sign in</a>
      </div>`,
  })
}

const addressOf = (page: Page) => withReturnTo(`${RESET}?token=${encodeURIComponent(tokenOf(page))}`, returnToOf(page))

const refuseReset = (desk: Desk, page: Page, email: string, refused: Refused) =>
  isOpening(page) ? refuse(desk, 'reset', addressOf(page), refused) : resetPage(page, desk, email, refused)

function resetPage(page: Page, { look }: Desk, email: string, { problems = {}, status, wait }: Refused): Answer {
  return renderPage(look, {
    title: 'Choose a new password',
    hasScript: true,
    lead: html`For <b>${email}</b>. You’ll be signed out everywhere.`,
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${addressOf(page)}">
        <input type="email" autocomplete="username" value="${email}" readonly hidden />
        ${fields(
          [
            {
              name: 'password',
              label: 'New password',
              type: 'password',
              autocomplete: 'new-password',
              hint: `At least ${SHORTEST_PASSWORD} characters. A few unusual words work well.`,
              shortest: SHORTEST_PASSWORD,
              longest: LONGEST_PASSWORD,
            },
          ],
          problems,
        )}
        <button class="btn btn--wide">Set password</button>
      </form>`,
    status,
    isSecret: true,
    wait,
  })
}

function uselessLink({ look }: Desk, page: Page): Answer {
  return renderPage(look, {
    title: 'This link no longer works',
    lead: 'A link works once, for one hour. Ask for another one if you still need it.',
    content: html`<div class="stack">
      <a class="btn btn--wide" href="${withReturnTo(FORGOT, returnToOf(page))}">Mail me another link</a
      ><a class="btn btn--line btn--wide" href="/api/login/password">Sign in</a>
    </div>`,
    status: 410,
    isSecret: true,
  })
}
