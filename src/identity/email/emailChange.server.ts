import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { emailProblem } from '../accounts/account.rules.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { addressOf } from '../accounts/account.store.server.ts'
import { type Context, sameTime } from '../pages/context.server.ts'
import { mailedLinkRoutes } from '../pages/mailedLink.server.ts'
import { renderNotice, withCookies } from '../pages/page.server.ts'
import { changeEmail } from './emailChange.contract.ts'
import { CHANGE, Claim, confirmChange, type Outcome, requestChange, undoChange } from './emailChange.store.server.ts'
import { UNDO } from './undo.store.server.ts'

const PATH = '/api/login/email'

const useless = {
  lead: 'It has been used, has expired, or was replaced by a newer one.',
  href: '/settings',
  label: 'Go to settings',
}

export function emailChangeRoutes(context: Context): Route[] {
  const { db, cookies } = context
  return [
    handle(
      changeEmail,
      { limits: [{ per: 'account', count: 5, seconds: 3600, isShared: true }] },
      async (input, { user }) => {
        const to = tidyEmail(input.email)
        const from = await addressOf(db, user.id)
        const problem = emailProblem(to) ?? (to === from ? 'That’s already your address.' : null)
        if (problem) throw new Failure(400, problem, 'invalid', { details: { field: 'email' } })
        const enough = sameTime()
        await requestChange(context, { userId: user.id, from, to })
        await enough
        return { sentTo: to }
      },
    ),

    ...mailedLinkRoutes(context, {
      path: PATH,
      about: { ask: 'The page that confirms a new address.', act: 'Makes it the address of the account.' },
      kind: CHANGE,
      schema: Claim,
      // the new address may be a stranger's, so the link works only in a session of the account
      refuse: ({ user }: Page, { userId }) => (user?.id === userId ? null : strangerPage(context)),
      ask: ({ from, to }) => ({
        title: 'Change your address',
        lead: html`Your address is <b>${shownEmail(from)}</b>. Change it to <b>${shownEmail(to)}</b>?`,
        button: 'Yes, change it',
        hint: 'Didn’t ask for this? Just close this page.',
      }),
      act: async (token, { to }) =>
        outcomePage(context, await confirmChange(context, token), {
          title: 'Your address was changed',
          lead: html`Receipts and everything about your account go to <b>${shownEmail(to)}</b> now. Your old address can
            take this back for three days.`,
          actions: [['Go to settings', '/settings']],
        }),
      useless,
    }),

    ...mailedLinkRoutes(context, {
      path: `${PATH}/undo`,
      about: {
        ask: 'The page that takes a changed address back.',
        act: 'Takes it back and ends all sessions of the account.',
      },
      kind: UNDO,
      schema: Claim,
      ask: ({ from, to }) => ({
        title: 'Restore your address',
        lead: html`The account goes back from <b>${shownEmail(to)}</b> to <b>${shownEmail(from)}</b>, and everybody is
          signed out of it. Its password, passkeys, two-factor authentication and linked sign-ins are removed; you
          choose a new password by mail.`,
        button: 'Yes, restore it',
        hint: 'Did you change it yourself? Just close this page.',
      }),
      act: async (token, { from }) => {
        const answer = outcomePage(context, await undoChange(context, token), {
          title: 'Your account is yours again',
          lead: html`Its address is <b>${shownEmail(from)}</b>, and everybody is signed out. Its password, passkeys,
            two-factor authentication and linked sign-ins are removed, because somebody else may have known or added
            them. Choose a new password to sign in, then set up again what you used; notifications are off in every
            browser.`,
          actions: [['Choose a new password', '/api/login/forgot']],
        })
        return answer && withCookies(answer, [cookies.endSession()])
      },
      useless,
    }),
  ]
}

/** Visitors and other accounts get the same page, so that it does not reveal whose link this is. */
const strangerPage = ({ look }: Context): Answer =>
  renderNotice(look, {
    title: 'Sign in first',
    lead: 'This link only works for the account that requested it. Sign in to that account in this browser, then open the link in the email again.',
    actions: [['Sign in', '/api/login/password']],
    hint: 'Didn’t ask for this? Just close this page.',
    status: 403,
  })

function outcomePage({ look }: Context, outcome: Outcome, done: Parameters<typeof renderNotice>[1]): Answer | null {
  if (outcome === 'useless') return null
  if (outcome === 'done') return renderNotice(look, done)
  return renderNotice(look, {
    title: 'This address already has an account',
    lead: 'Someone else has since signed up with this address, and each address can have only one account. Nothing was changed.',
    actions: [['Get help', '/help']],
    status: 409,
  })
}
