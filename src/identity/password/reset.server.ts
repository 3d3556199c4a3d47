import * as z from 'zod/mini'
import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import { inTransaction, now, type Tx } from '../../kit/database.server.ts'
import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { emailProblem } from '../accounts/account.rules.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { mailArrived } from '../accounts/account.store.server.ts'
import { removeWaysIn } from '../accounts/waysIn.store.server.ts'
import {
  type Context,
  countForm,
  countMail,
  forgiveAttempts,
  keptMailsNote,
  returnToOf,
  sameTime,
  tokenOf,
} from '../pages/context.server.ts'
import { createForm, getPage, ownerField, postForm, readForm } from '../pages/form.server.ts'
import {
  emailField,
  fields,
  hasProblem,
  newPasswordField,
  redirect,
  renderNotice,
  renderPage,
} from '../pages/page.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'
import { withReturnTo } from '../sign-in/returnTo.rules.ts'
import { findToken, hashToken, issueToken, redeemToken } from '../token.store.server.ts'
import { newPasswordProblem } from './commonPasswords.server.ts'
import { hashPassword } from './passwordHash.server.ts'
import { lockPassword, putPassword, RESET as KIND, notifyPasswordChanged } from './password.store.server.ts'
import { mailText } from '../mails.server.ts'

const LINK_SECONDS = 3600
const Claim = z.object({ userId: z.string() })

const FORGOT = '/api/login/forgot'
const RESET = '/api/login/reset'

export function resetRoutes(context: Context): Route[] {
  const { cookies } = context
  const forgot = forgotForm(context)
  const reset = resetForm(context)
  return [
    getPage(context, FORGOT, 'The page for a forgotten password.', async (page) =>
      page.query.has('sent') ? sentPage(context, page) : forgot.open(page),
    ),

    postForm(context, FORGOT, 'Mails a link to choose a new password.', async (page) => {
      const email = tidyEmail(readForm(page, ['email']).email)
      const problems = { email: emailProblem(email) }
      if (hasProblem(problems)) return forgot.refuse(page, { email, problems, status: 400 })
      const wait = (await countForm(context, 'forgot', page)) || (await countMail(context, page, email))
      if (wait) return forgot.refuse(page, { email, wait })
      const enough = sameTime()
      await mailReset(context, email, returnToOf(page))
      await enough
      return redirect(withReturnTo(`${FORGOT}?sent=1`, returnToOf(page)))
    }),

    getPage(context, RESET, 'The page to choose a new password.', async (page) => {
      const owner = await ownerOf(context, page)
      return owner ? reset.open(page, owner.email) : uselessLink(context, page)
    }),

    postForm(context, RESET, 'Sets a new password and ends all sessions of the account.', async (page) => {
      const { password } = readForm(page, ['password'])
      const wait = await countForm(context, 'reset', page)
      const owner = await ownerOf(context, page)
      if (!owner) return uselessLink(context, page)
      if (wait) return reset.refuse(page, { wait }, owner.email)
      const problems = { password: await newPasswordProblem(password, owner.email) }
      if (hasProblem(problems)) return reset.refuse(page, { problems, status: 400 }, owner.email)
      if (!(await resetPassword(context, tokenOf(page), password))) return uselessLink(context, page)
      for (const kind of ['sign-in', 'mail']) await forgiveAttempts(context, kind, owner.email)
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

/** Mails nothing to an account of the identity provider, because a new password would sign in without the provider. */
const mailReset = ({ db, config, hasSignUp, linkOf, seal }: Context, email: string, returnTo: string) =>
  inTransaction(db, async (tx) => {
    const user = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    if (!user || (!hasSignUp && (await hasProvider(tx, user.id)))) return
    const token = await issueToken(tx, KIND, { userId: user.id }, LINK_SECONDS)
    const url = linkOf(withReturnTo(`${RESET}?token=${seal.seal(token, email)}`, returnTo))
    await mailText(tx, config, 'reset', { id: hashToken(token), to: email, url })
  })

const hasProvider = (tx: Tx, userId: string) =>
  tx
    .selectFrom('accounts')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', 'oidc')
    .limit(1)
    .executeTakeFirst()

/** Also marks the address as verified, which the link proves. Returns false if the link expired or was used. */
async function resetPassword({ db, config }: Context, token: string, password: string): Promise<boolean> {
  const hash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const claim = await findToken(tx, KIND, token, Claim)
    if (!claim) return false
    const { userId } = claim
    // lock order: user, password, token, as in every change of these rows
    const user = await tx
      .selectFrom('users')
      .select('emailVerified')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    await lockPassword(tx, userId)
    if (!(await redeemToken(tx, KIND, token, Claim))) return false
    // the creator of the account may not own the address
    if (!user?.emailVerified) await removeWaysIn(tx, userId)
    const { email } = await tx
      .updateTable('users')
      .set({ emailVerified: true, ...mailArrived, updatedAt: now })
      .where('id', '=', userId)
      .returning('email')
      .executeTakeFirstOrThrow()
    await putPassword(tx, userId, hash)
    await endSessionsOf(tx, userId)
    await notifyPasswordChanged(tx, config, { id: userId, email, isSignedOut: true })
    return true
  })
}

const forgotForm = (context: Context) =>
  createForm(context, FORGOT, ({ page, refused: { email, problems } }) => ({
    title: 'Forgot your password?',
    lead: 'Enter your email address. If it has an account, we’ll email you a link to choose a new password.',
    controls: fields([emailField(email)], problems),
    button: 'Email me a link',
    after: html`<a class="link" href="${withReturnTo('/api/login/password', returnToOf(page))}">Back to sign in</a>`,
  }))

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

const resetForm = (context: Context) =>
  createForm(context, RESET, ({ refused: { problems }, owner }) => ({
    title: 'Choose a new password',
    hasScript: true,
    lead: html`For <b>${shownEmail(owner)}</b>. You’ll be signed out everywhere.`,
    controls: [ownerField(owner), ...fields([{ ...newPasswordField, label: 'New password' }], problems)],
    button: 'Set password',
    isSecret: true,
  }))

const uselessLink = ({ look }: Context, page: Page): Answer =>
  renderNotice(look, {
    title: 'This link no longer works',
    lead: 'A link works once, for one hour. Ask for another one if you still need it.',
    actions: [
      ['Mail me another link', withReturnTo(FORGOT, returnToOf(page))],
      ['Sign in', '/api/login/password'],
    ],
    status: 410,
  })
