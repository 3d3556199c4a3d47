import * as z from 'zod/mini'
import { inTransaction, now } from '../../kit/database.server.ts'
import { type Answer, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { emailProblem, tidyEmail } from '../accounts/account.rules.ts'
import { mailArrived } from '../accounts/account.store.server.ts'
import {
  type Context,
  countAttempt,
  countForm,
  forgiveAttempts,
  keptMailsNote,
  returnToOf,
  sameTime,
  tokenOf,
  tooMany,
} from '../pages/context.server.ts'
import { getPage, postForm } from '../pages/route.server.ts'
import { readForm } from '../pages/form.server.ts'
import { alert, emailField, newPasswordField, fields, hasProblem, redirect, renderPage } from '../pages/page.server.ts'
import { isOpening, refuse, refusedOf, type Refused } from '../pages/refusedForm.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { findToken, hashToken, issueToken, redeemToken } from '../token.store.server.ts'
import { newPasswordProblem } from './commonPasswords.server.ts'
import { hashPassword } from './passwordHash.server.ts'
import { lockPassword, mailPasswordChanged, putPassword, RESET as KIND } from './password.store.server.ts'

const LINK_SECONDS = 3600
const Claim = z.object({ userId: z.string() })

const FORGOT = '/api/login/forgot'
const RESET = '/api/login/reset'

export function resetRoutes(context: Context): Route[] {
  const { cookies } = context
  return [
    getPage(context, FORGOT, 'The page for a forgotten password.', async (page) =>
      page.query.has('sent') ? sentPage(context, page) : forgotPage(context, page, refusedOf(context, 'forgot', page)),
    ),

    postForm(context, FORGOT, 'Mails a link to choose a new password.', async (page) => {
      const email = tidyEmail(readForm(page, ['email']).email)
      const problems = { email: emailProblem(email) }
      if (hasProblem(problems)) return refuseForgot(context, page, { email, problems, status: 400 })
      const wait = (await countForm(context, 'forgot', page)) || (await countAttempt(context, 'mail', page, email)).wait
      if (wait) return refuseForgot(context, page, { email, wait })
      const enough = sameTime()
      await mailReset(context, email, returnToOf(page))
      await enough
      return redirect(withReturnTo(`${FORGOT}?sent=1`, returnToOf(page)))
    }),

    getPage(context, RESET, 'The page to choose a new password.', async (page) => {
      const owner = await ownerOf(context, page)
      return owner
        ? resetPage(page, context, owner.email, refusedOf(context, 'reset', page))
        : uselessLink(context, page)
    }),

    postForm(context, RESET, 'Sets a new password and ends all sessions of the account.', async (page) => {
      const { password } = readForm(page, ['password'])
      const wait = await countForm(context, 'reset', page)
      const owner = await ownerOf(context, page)
      if (!owner) return uselessLink(context, page)
      if (wait) return refuseReset(context, page, owner.email, { wait })
      const problems = { password: await newPasswordProblem(password, owner.email) }
      if (hasProblem(problems)) return refuseReset(context, page, owner.email, { problems, status: 400 })
      if (!(await resetPassword(context, tokenOf(page), password))) return uselessLink(context, page)
      // they counted against the old password
      await forgiveAttempts(context, 'sign-in', owner.email)
      return redirect(withReturnTo('/api/login/password?changed=1', returnToOf(page)), {
        cookies: [cookies.endSession()],
      })
    }),
  ]
}

async function ownerOf({ db }: Context, page: Page) {
  const claim = await findToken(db, KIND, tokenOf(page), Claim)
  return claim && db.selectFrom('users').select('email').where('id', '=', claim.userId).executeTakeFirst()
}

/** Mails a link if the address has an account. */
const mailReset = ({ db, config, linkOf, seal }: Context, email: string, returnTo: string) =>
  inTransaction(db, async (tx) => {
    const user = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    if (!user) return
    const token = await issueToken(tx, KIND, { userId: user.id }, LINK_SECONDS)
    await sendMail(tx, config, {
      key: `reset:${hashToken(token)}`,
      to: email,
      subject: 'Choose a new password',
      lines: [
        `Someone, hopefully you, asked to reset the password for this address at ${config.storeName}. The link works once and expires after an hour.`,
        'If this wasn’t you, you can ignore this email. Your password stays the same.',
      ],
      action: {
        label: 'Choose a new password',
        url: linkOf(withReturnTo(`${RESET}?token=${seal.seal(token, email)}`, returnTo)),
      },
    })
  })

/** Opening the link proves the address, so it is verified too. False when the link expired or was used. */
async function resetPassword({ db, config }: Context, token: string, password: string): Promise<boolean> {
  const hash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const claim = await findToken(tx, KIND, token, Claim)
    if (!claim) return false
    const { userId } = claim
    // locks go user, password, token, as in every other change of these rows
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    await lockPassword(tx, userId)
    if (!(await redeemToken(tx, KIND, token, Claim))) return false
    const { email } = await tx
      .updateTable('users')
      .set({ emailVerified: true, ...mailArrived, updatedAt: now })
      .where('id', '=', userId)
      .returning('email')
      .executeTakeFirstOrThrow()
    await putPassword(tx, userId, hash)
    await endSessionsOf(tx, userId)
    await mailPasswordChanged(tx, config, { email, isSignedOut: true })
    return true
  })
}

const refuseForgot = (context: Context, page: Page, refused: Refused) =>
  isOpening(page)
    ? refuse(context, 'forgot', withReturnTo(FORGOT, returnToOf(page)), refused)
    : forgotPage(context, page, refused)

function forgotPage(context: Context, page: Page, { email = '', problems = {}, status, wait }: Refused): Answer {
  const returnTo = returnToOf(page)
  return renderPage(context.look, {
    title: 'Forgot your password?',
    lead: 'Enter your email address. If it has an account, we’ll email you a link to choose a new password.',
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${withReturnTo(FORGOT, returnTo)}">
        ${fields([emailField(email)], problems)}
        <button class="btn btn--wide">Email me a link</button>
      </form>
      <a class="link" href="${withReturnTo('/api/login/password', returnTo)}">Back to sign in</a>`,
    status,
    wait,
  })
}

function sentPage(context: Context, page: Page): Answer {
  const returnTo = returnToOf(page)
  return renderPage(context.look, {
    title: 'Check your email',
    lead: 'If that address has an account, a link to choose a new password is on its way. It works once and expires after an hour.',
    content: html`${keptMailsNote(context)}
      <div class="links">
        <a class="link" href="${withReturnTo(FORGOT, returnTo)}">Use another address</a
        ><a class="link" href="${withReturnTo('/api/login/password', returnTo)}">Sign in</a>
      </div>`,
  })
}

const addressOf = (page: Page) => withReturnTo(`${RESET}?token=${encodeURIComponent(tokenOf(page))}`, returnToOf(page))

const refuseReset = (context: Context, page: Page, email: string, refused: Refused) =>
  isOpening(page) ? refuse(context, 'reset', addressOf(page), refused) : resetPage(page, context, email, refused)

function resetPage(page: Page, { look }: Context, email: string, { problems = {}, status, wait }: Refused): Answer {
  return renderPage(look, {
    title: 'Choose a new password',
    hasScript: true,
    lead: html`For <b>${email}</b>. You’ll be signed out everywhere.`,
    content: html`${alert(tooMany(wait), problems)}
      <form class="stack" method="post" action="${addressOf(page)}">
        <input type="email" autocomplete="username" value="${email}" readonly hidden />
        ${fields([{ ...newPasswordField, label: 'New password' }], problems)}
        <button class="btn btn--wide">Set password</button>
      </form>`,
    status,
    isSecret: true,
    wait,
  })
}

function uselessLink({ look }: Context, page: Page): Answer {
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
