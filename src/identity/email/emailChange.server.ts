import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { emailProblem, tidyEmail } from '../accounts/account.rules.ts'
import { addressOf } from '../accounts/account.store.server.ts'
import { asPage, countForm, type Desk, sameTime, tokenOf, tooMany } from '../pages/context.server.ts'
import { changeEmail } from './emailChange.contract.ts'
import {
  askForChange,
  CHANGE,
  Claim,
  confirmChange,
  type Outcome,
  UNDO,
  undoChange,
} from './emailChange.store.server.ts'
import { readForm } from '../pages/form.server.ts'
import { findLink } from './mailedLink.store.server.ts'
import { alert, renderPage } from '../pages/page.server.ts'

const PATH = '/api/login/email'
const UNDO_PATH = `${PATH}/undo`

/** Another address: the call that asks for it, and what the mailed links open. Each wants a press: a mail scanner changes nothing. */
export function emailChangeRoutes(desk: Desk): Route[] {
  const { db, cookies } = desk
  return [
    handle(
      changeEmail,
      async (input, { user }) => {
        const to = tidyEmail(input.email)
        const from = await addressOf(db, user.id)
        const problem = emailProblem(to) ?? (to === from ? 'That’s already your address.' : null)
        if (problem) throw new Failure(400, problem, 'invalid', { details: { field: 'email' } })
        const enough = sameTime()
        await askForChange(desk, { userId: user.id, from, to })
        await enough
        return { sentTo: to }
      },
      { limits: [{ per: 'account', count: 5, seconds: 3600, isShared: true }] },
    ),

    handleRaw(
      `GET ${PATH}`,
      { access: 'public', about: 'The page that confirms a new address.' },
      asPage(desk, async (page) => {
        const claim = await findLink(db, CHANGE, tokenOf(page), Claim)
        if (!claim) return uselessLink(desk)
        return isOwner(page, claim) ? askPage(desk, page, claim) : strangerPage(desk)
      }),
    ),

    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'Makes it the address of the account.', body: 'bytes' },
      asPage(desk, async (page) => {
        readForm(page, [])
        const wait = await countForm(desk, 'address', page)
        const claim = await findLink(db, CHANGE, tokenOf(page), Claim)
        if (!claim) return uselessLink(desk)
        // proof of the address alone is not enough: the link may have come to somebody who never asked
        if (!isOwner(page, claim)) return strangerPage(desk)
        if (wait) return askPage(desk, page, claim, wait)
        return outcomePage(desk, await confirmChange(desk, tokenOf(page), claim), {
          title: 'Your address was changed',
          lead: html`Receipts and everything about your account go to <b>${claim.to}</b> now. Your old address can take
            this back for three days.`,
          content: html`<a class="btn btn--wide" href="/settings">Go to settings</a>`,
        })
      }),
    ),

    handleRaw(
      `GET ${UNDO_PATH}`,
      { access: 'public', about: 'The page that takes a changed address back.' },
      asPage(desk, async (page) => {
        const claim = await findLink(db, UNDO, tokenOf(page), Claim)
        return claim ? undoPage(desk, page, claim) : uselessLink(desk)
      }),
    ),

    handleRaw(
      `POST ${UNDO_PATH}`,
      { access: 'public', about: 'Takes it back and ends all sessions of the account.', body: 'bytes' },
      asPage(desk, async (page) => {
        readForm(page, [])
        const wait = await countForm(desk, 'address', page)
        const claim = await findLink(db, UNDO, tokenOf(page), Claim)
        if (!claim) return uselessLink(desk)
        if (wait) return undoPage(desk, page, claim, wait)
        const answer = outcomePage(desk, await undoChange(desk, tokenOf(page)), {
          title: 'Your account is yours again',
          lead: html`Its address is <b>${claim.from}</b>, and everybody is signed out. Its password, passkeys,
            two-factor authentication and linked sign-ins are removed, because somebody else may have known or added
            them. Choose a new password to sign in, then set up again what you used; notifications are off in every
            browser.`,
          content: html`<a class="btn btn--wide" href="/api/login/forgot">Choose a new password</a>`,
        })
        return { ...answer, headers: { ...answer.headers, 'set-cookie': [cookies.endSession()] } }
      }),
    ),
  ]
}

const isOwner = ({ user }: Page, { userId }: Claim) => user?.id === userId

function askPage({ look }: Desk, page: Page, { from, to }: Claim, wait = 0): Answer {
  return renderPage(look, {
    title: 'Change your address',
    lead: html`Your address is <b>${from}</b>. Change it to <b>${to}</b>?`,
    content: html`${alert(tooMany(wait))}
      <form class="stack" method="post" action="${PATH}?token=${encodeURIComponent(tokenOf(page))}">
        <button class="btn btn--wide">Yes, change it</button>
      </form>
      <p class="hint">Didn’t ask for this? Just close this page.</p>`,
    isSecret: true,
    wait,
  })
}

function undoPage({ look }: Desk, page: Page, { from, to }: Claim, wait = 0): Answer {
  return renderPage(look, {
    title: 'Restore your address',
    lead: html`The account goes back from <b>${to}</b> to <b>${from}</b>, and everybody is signed out of it. Its
      password, passkeys, two-factor authentication and linked sign-ins are removed; you choose a new password by mail.`,
    content: html`${alert(tooMany(wait))}
      <form class="stack" method="post" action="${UNDO_PATH}?token=${encodeURIComponent(tokenOf(page))}">
        <button class="btn btn--wide">Yes, restore it</button>
      </form>
      <p class="hint">Did you change it yourself? Just close this page.</p>`,
    isSecret: true,
    wait,
  })
}

/** One page for whoever is signed out or somebody else: it does not say whose link it is. */
const strangerPage = ({ look }: Desk): Answer =>
  renderPage(look, {
    title: 'Sign in first',
    lead: 'This link only works for the account that requested it. Sign in to that account in this browser, then open the link in the email again.',
    content: html`<div class="stack">
        <a class="btn btn--wide" href="/api/login/password">Sign in</a>
      </div>
      <p class="hint">Didn’t ask for this? Just close this page.</p>`,
    status: 403,
    isSecret: true,
  })

function outcomePage(desk: Desk, outcome: Outcome, done: Parameters<typeof renderPage>[1]): Answer {
  if (outcome === 'done') return renderPage(desk.look, { ...done, isSecret: true })
  return outcome === 'taken' ? takenPage(desk) : uselessLink(desk)
}

const takenPage = ({ look }: Desk): Answer =>
  renderPage(look, {
    title: 'This address already has an account',
    lead: 'Someone else has since signed up with this address, and each address can have only one account. Nothing was changed.',
    content: html`<a class="btn btn--wide" href="/help">Get help</a>`,
    status: 409,
    isSecret: true,
  })

const uselessLink = ({ look }: Desk): Answer =>
  renderPage(look, {
    title: 'This link no longer works',
    lead: 'It has been used, has expired, or was replaced by a newer one.',
    content: html`<a class="btn btn--wide" href="/settings">Go to settings</a>`,
    status: 410,
    isSecret: true,
  })
