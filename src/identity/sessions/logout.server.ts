import { type Answer, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { asPage, type Context } from '../pages/context.server.ts'
import { redirect, renderPage } from '../pages/page.server.ts'
import { endSession } from './session.store.server.ts'

const PATH = '/api/logout'

/** Signing out by a plain link, as long as the link is ours: another site's is asked about first. */
export function logoutRoutes(context: Context): Route[] {
  return [
    handleRaw(
      `GET ${PATH}`,
      { access: 'public', about: 'Ends the session and goes to the landing page.' },
      asPage(context, (page) => (isOurOwnLink(page) ? signOut(context, page, 302) : confirmPage(context))),
    ),
    handleRaw(
      `POST ${PATH}`,
      { access: 'public', about: 'The same, from the page that asks.', body: 'bytes' },
      asPage(context, (page) => signOut(context, page, 303)),
    ),
  ]
}

function isOurOwnLink({ header }: Page): boolean {
  const site = header('sec-fetch-site')
  const isMeant = site === undefined || site === 'same-origin' || site === 'same-site' || site === 'none'
  // a browser that only looks ahead has not been asked to sign out
  return isMeant && !header('sec-purpose')?.includes('prefetch')
}

async function signOut({ cookies, db }: Context, page: Page, status: 302 | 303): Promise<Answer> {
  const token = cookies.sessionToken(page.header('cookie'))
  if (token) await endSession(db, token)
  const answer = redirect('/', { status, cookies: [cookies.endSession()] })
  return { ...answer, headers: { ...answer.headers, 'clear-site-data': '"cache","storage"' } }
}

async function confirmPage({ look }: Context): Promise<Answer> {
  return renderPage(look, {
    title: 'Sign out?',
    lead: `Another site sent you here. Do you want to sign out of ${look.storeName}?`,
    content: html`<form class="stack" method="post" action="${PATH}">
      <button class="btn btn--wide">Sign out</button><a class="btn btn--line btn--wide" href="/">Stay signed in</a>
    </form>`,
  })
}
