import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { type Context } from '../pages/context.server.ts'
import { getPage, postForm, renderForm } from '../pages/form.server.ts'
import { redirect } from '../pages/page.server.ts'
import { endSession } from './session.store.server.ts'

const PATH = '/api/logout'

/** A link of the shop signs out at once; a link of another site asks first. */
export function logoutRoutes(context: Context): Route[] {
  return [
    getPage(context, PATH, 'Ends the session and goes to the landing page.', (page) =>
      isOurOwnLink(page) ? signOut(context, page, 302) : confirmPage(context),
    ),
    postForm(context, PATH, 'The same, from the page that asks.', (page) => signOut(context, page, 303)),
  ]
}

function isOurOwnLink({ header }: Page): boolean {
  const site = header('sec-fetch-site')
  const isMeant = site === undefined || site === 'same-origin' || site === 'same-site' || site === 'none'
  // a prefetch is no request to sign out
  return isMeant && !header('sec-purpose')?.includes('prefetch')
}

async function signOut({ cookies, db }: Context, page: Page, status: 302 | 303): Promise<Answer> {
  const token = cookies.sessionToken(page.header('cookie'))
  if (token) await endSession(db, token)
  const answer = redirect('/', { status, cookies: [cookies.endSession()] })
  return { ...answer, headers: { ...answer.headers, 'clear-site-data': '"cache","storage"' } }
}

async function confirmPage({ look }: Context): Promise<Answer> {
  return renderForm(
    look,
    PATH,
    {},
    {
      title: 'Sign out?',
      lead: `Another site sent you here. Do you want to sign out of ${look.storeName}?`,
      button: 'Sign out',
      cancel: html`<a class="btn btn--line btn--wide" href="/">Stay signed in</a>`,
    },
  )
}
