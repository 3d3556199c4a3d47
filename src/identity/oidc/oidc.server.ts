import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import type { Answer, Page, Route } from '../../kit/handle.server.ts'
import { html } from '../../kit/html.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { tidyText } from '../../kit/text.rules.ts'
import { emailProblem, nameProblem } from '../accounts/account.rules.ts'
import { tidyEmail } from '../accounts/email.rules.ts'
import { insertUser } from '../accounts/account.store.server.ts'
import { isRestorable } from '../email/undo.store.server.ts'
import { mailText } from '../mails.server.ts'
import { countForm, type Context, returnToOf, tooMany } from '../pages/context.server.ts'
import { getPage } from '../pages/form.server.ts'
import { redirect, renderNotice, withCookies } from '../pages/page.server.ts'
import { goOnAs } from '../sign-in/finishSignIn.server.ts'
import { safeReturnTo, withReturnTo } from '../sign-in/returnTo.rules.ts'
import { Journey, type Oidc, ProviderAway, SignInRefused, type Claimed } from './provider.server.ts'

export const CALLBACK_PATH = '/api/login/callback'
const PROVIDER = 'oidc'
const LIVES_SECONDS = 600

export function oidcRoutes(context: Context, oidc: Oidc): Route[] {
  const { cookies } = context
  return [
    getPage(context, '/api/login', 'Where signing in begins: on to the identity provider.', async (page) => {
      const returnTo = returnToOf(page)
      if (page.user) return redirect(returnTo, { status: 302 })
      try {
        const { url, journey } = await oidc.begin(returnTo)
        return redirect(url, { status: 302, cookies: [cookies.journey.set(JSON.stringify(journey), LIVES_SECONDS)] })
      } catch (error) {
        return explain(context, error, returnTo)
      }
    }),

    // pages of a shop with its own sign-up: bookmarks and mailed links from before the provider was set
    ...(['sign-up', 'link', 'verify'] as const).map((page) =>
      getPage(context, `/api/login/${page}`, 'Leads to the identity provider.', async (asked) =>
        redirect(withReturnTo('/api/login', returnToOf(asked)), { status: 302 }),
      ),
    ),

    getPage(context, CALLBACK_PATH, 'Where the identity provider sends the browser back to.', async (page) => {
      const wait = await countForm(context, 'callback', page)
      if (wait) return problemPage(context, { title: 'Please wait', lead: tooMany(wait)!, status: 429, wait })
      const journey = journeyOf(context, page)
      if (!journey) return refusedPage(context, '/')
      const answer = await comeBack(context, oidc, page, journey).catch((error: unknown) =>
        explain(context, error, journey.returnTo),
      )
      return withCookies(answer, [cookies.journey.end()])
    }),
  ]
}

/** Null in a browser that did not begin a sign-in: a link must not sign a victim in to an attacker's account. */
function journeyOf({ cookies }: Context, { header }: Page): Journey | null {
  const kept = cookies.journey.of(header('cookie'))
  const read = kept ? Journey.safeParse(JSON.parse(kept)) : null
  return read?.success ? read.data : null
}

async function comeBack(context: Context, oidc: Oidc, page: Page, journey: Journey): Promise<Answer> {
  const { db, config } = context
  const returnTo = safeReturnTo(journey.returnTo)
  const claimed = await oidc.finish(page.query, journey)
  const found = await findOrMakeOutsider(db, config, oidc.issuer, claimed)
  if (found === 'moved') return movedPage(context, claimed.email)
  if (typeof found === 'string') return unverifiedPage(context, found, claimed.email)
  return goOnAs(context, page, found.userId, returnTo)
}

function explain(context: Context, error: unknown, returnTo: string): Answer {
  if (error instanceof ProviderAway) {
    log.warn('the identity provider does not answer', { why: error.message })
    return problemPage(context, {
      title: 'Sign-in isn’t responding',
      lead: 'Your sign-in service isn’t responding right now. Wait a moment, then try again.',
      status: 503,
      headers: { 'retry-after': '5' },
      returnTo,
    })
  }
  if (!(error instanceof SignInRefused)) throw error
  log.info('a sign-in by the identity provider was refused', { why: error.message })
  return refusedPage(context, returnTo)
}

const refusedPage = (context: Context, returnTo: string) =>
  problemPage(context, {
    title: 'That didn’t work',
    lead: 'You weren’t signed in. It was canceled, took too long, or started in another browser.',
    status: 400,
    returnTo,
  })

const unverifiedPage = (context: Context, why: Exclude<Refusal, 'moved'>, email: string) =>
  problemPage(context, {
    title: 'Your address isn’t verified',
    lead:
      why === 'unverified'
        ? 'Your sign-in service hasn’t verified your email address. Verify it there, then sign in again.'
        : html`There is an account for <b>${shownEmail(email)}</b> whose address nobody has verified yet. Choose a new
            password for it by mail first: that verifies it.`,
    status: 403,
    action: why === 'unverified' ? undefined : ['Choose a new password', '/api/login/forgot'],
  })

const movedPage = (context: Context, email: string) =>
  problemPage(context, {
    title: 'The address of your account was changed',
    lead: html`The account with the address <b>${shownEmail(email)}</b> has another address now. If you did not change
      it, take it back with the link in the mail that we sent to this address.`,
    status: 409,
  })

type Problem = Omit<Parameters<typeof renderNotice>[1], 'actions'> & {
  returnTo?: string
  action?: [label: string, href: string] | undefined
}

const problemPage = ({ look }: Context, { returnTo = '/', action, ...text }: Problem): Answer =>
  renderNotice(look, {
    ...text,
    actions: [
      action ?? ['Try again', withReturnTo('/api/login', returnTo)],
      ['Sign in with a password', withReturnTo('/api/login/password', returnTo)],
    ],
  })

type OidcAccount = { userId: string } | Refusal

type Refusal = 'unverified' | 'unverified_here' | 'moved'

const isUnused = async (tx: Tx, email: string) =>
  (await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) === undefined

/** Links an existing account only if provider and shop both verified its address. Ignores roles of the provider. */
const findOrMakeOutsider = (
  db: Db,
  config: Pick<Config, 'storeName'>,
  issuer: string,
  claimed: Claimed,
): Promise<OidcAccount> =>
  inTransaction(db, async (tx) => {
    const accountId = `${issuer}|${claimed.subject}`
    const known = await tx
      .selectFrom('accounts')
      .select('userId')
      .where('providerId', '=', PROVIDER)
      .where('accountId', '=', accountId)
      .executeTakeFirst()
    if (known) return known
    const email = tidyEmail(claimed.email)
    if (!claimed.isEmailVerified || emailProblem(email)) return 'unverified'
    if ((await isUnused(tx, email)) && (await isRestorable(tx, email))) return 'moved'
    const names = { firstName: shortName(claimed.firstName), lastName: shortName(claimed.lastName) }
    const made = await insertUser(tx, { email, isEmailVerified: true, ...names })
    const user = await tx
      .selectFrom('users')
      .select(['id', 'emailVerified'])
      .where('email', '=', email)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    // the creator of the account may not own the address
    if (!user.emailVerified) return 'unverified_here'
    await tx
      .insertInto('accounts')
      .values({ userId: user.id, accountId, providerId: PROVIDER })
      // a concurrent sign-in may have linked it
      .onConflict((conflict) => conflict.columns(['providerId', 'accountId']).doNothing())
      .execute()
    const values = { provider: new URL(issuer).host }
    if (!made) await mailText(tx, config, 'linked', { id: `${user.id}:${accountId}`, to: email, values })
    return { userId: user.id }
  })

function shortName(given: string | null): string | null {
  const name = tidyText(given ?? '')
  return name !== '' && nameProblem(name) === null ? name : null
}
