import { hkdfSync } from 'node:crypto'
import type { Bus } from '../kit/bus.server.ts'
import type { Config } from '../kit/config.server.ts'
import type { Database, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handleRaw, type Route, type Answer, type Page, type User } from '../kit/handle.server.ts'
import { html } from '../kit/html.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { createMailSeal } from '../kit/mail/mailSeal.server.ts'
import { pack } from '../kit/serve/cache.server.ts'
import { createSharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import { tidyEmail } from './accounts/email.rules.ts'
import { accountRoutes } from './accounts/account.server.ts'
import { type NewUser, putUser } from './accounts/account.store.server.ts'
import { deletionRoutes, keepAccount } from './accounts/deletion.server.ts'
import { noteRefusal } from './audit/security.server.ts'
import { auditRoutes } from './audit/audit.server.ts'
import { addressRoutes } from './email/addressCheck.server.ts'
import { emailChangeRoutes } from './email/emailChange.server.ts'
import type { IdentityConfig } from './identity.settings.server.ts'
import { CALLBACK_PATH, oidcRoutes } from './oidc/oidc.server.ts'
import { createOidc } from './oidc/provider.server.ts'
import { script, style } from './pages/assets.server.ts'
import { areMailsKept, type Context } from './pages/context.server.ts'
import { getPage, postForm, renderForm } from './pages/form.server.ts'
import { redirect } from './pages/page.server.ts'
import { passkeyRoutes } from './passkeys/passkey.server.ts'
import { createPasskeys } from './passkeys/passkey.store.server.ts'
import { resetRoutes } from './password/reset.server.ts'
import { secondFactorRoutes } from './second-factor/secondFactor.server.ts'
import { createSecondFactors } from './second-factor/secondFactor.store.server.ts'
import { stepUpRoutes } from './second-factor/stepUp.server.ts'
import { createCookies } from './sessions/cookies.server.ts'
import { sessionListRoutes } from './sessions/session.server.ts'
import {
  type CountryOf,
  insertSession,
  isVerified,
  isWorking,
  sessionKeyOf,
  sweepIdentity,
  watchSessions,
  endSession,
} from './sessions/session.store.server.ts'
import { codeRoutes } from './sign-in/code.server.ts'
import { beginRoute, signInRoutes } from './sign-in/signIn.server.ts'
import { signUpRoutes } from './sign-up/signUp.server.ts'
import { createSignUps } from './sign-up/signUp.store.server.ts'
import { verifyRoutes } from './sign-up/verify.server.ts'
import { startView, type StartViewInput, viewJobs, viewRoutes } from './viewing/view.server.ts'

const LOGOUT_PATH = '/api/logout'

export type Identity = Awaited<ReturnType<typeof openIdentity>>

/** Derives the key that signs cookies, because other modules sign with the secret itself. */
export const signingKey = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'identity', 32)).toString('base64url')

export async function openIdentity({
  config,
  database,
  bus,
  secret,
  publicUrl,
  countryOf,
  leaving = async () => ({ money: [], hold: null, canPayOut: false }),
  updateSale = async () => {},
}: {
  config: Config & IdentityConfig
  database: Database
  bus: Bus
  secret: string
  publicUrl: string
  countryOf?: CountryOf
  leaving?: Context['leaving']
  updateSale?: Context['updateSale']
}) {
  const { db } = database
  const isTls = publicUrl.startsWith('https:')
  const key = signingKey(secret)
  const cookies = createCookies({ secret: key, isSecure: isTls })
  const linkOf = (path: string) => publicUrl + path
  const seal = createMailSeal(secret)
  const areKept = areMailsKept(config, publicUrl)
  if (config.smtpUrl === undefined && !areKept) {
    log.warn('SMTP_URL is not set: members cannot confirm an email address or reset a password')
  }
  const context: Context = {
    config,
    db,
    cookies,
    signUps: createSignUps({ config, db, linkOf, seal }),
    secondFactors: createSecondFactors(db, secret),
    limiter: createSharedLimiter(database.pool, { scale: config.rateLimitScale }),
    passkeys: createPasskeys(config, db, publicUrl),
    linkOf,
    seal,
    look: { storeName: config.storeName, isTls },
    hasSignUp: config.oidc === undefined,
    areMailsKept: areKept,
    countryOf,
    leaving,
    updateSale,
  }

  return {
    identify: await watchSessions(database, bus, cookies),
    /** Returns the key by which messages on the channel 'sessions' identify this session. */
    sessionKeyOf: (cookie: string | undefined) => sessionKeyOf(cookies, cookie),
    startView: (tx: Tx, view: Omit<StartViewInput, 'cookies'>) => startView(tx, { cookies, ...view }),
    isVerified: (cookie: string | undefined) => isVerified(database.pool, cookies.sessionToken(cookie)),
    isWorking: (cookie: string | undefined, isUsed: boolean) =>
      isWorking(database.pool, cookies.sessionToken(cookie), { isUsed, needsFactor: config.mode === 'production' }),
    noteRefused: ({ id }: User, route: string) => noteRefusal(context, 'security.access_refused', id, { route }),
    routes: [
      ...accountRoutes(context),
      ...secondFactorRoutes(context),
      ...auditRoutes,
      ...stepUpRoutes(context),
      ...passkeyRoutes(context),
      ...sessionListRoutes(context),
      ...addressRoutes(context),
      ...emailChangeRoutes(context),
      ...deletionRoutes(context),
      // a mailed link would sign in without the identity provider
      ...(config.oidc
        ? oidcRoutes(context, createOidc(config.oidc, linkOf(CALLBACK_PATH)))
        : [beginRoute, ...signUpRoutes(context), ...verifyRoutes(context)]),
      ...signInRoutes(context),
      ...codeRoutes(context),
      ...resetRoutes(context),
      ...viewRoutes(context),
      ...logoutRoutes(context),
      fileRoute(style, 'How the sign-in pages look.'),
      fileRoute(script, 'What the sign-in pages can do with script.'),
    ] satisfies Route[],
    jobs: [
      { name: 'sweep_identity', pool: 'other', cron: '23 * * * *', run: () => sweepIdentity(db) },
      { name: 'account_kept', pool: 'other', run: ({ id = '' }) => keepAccount(context, id) },
      ...viewJobs(database),
    ] satisfies Job[],
    createUser: (input: NewUser) => putUser(db, input),
    /** Signs an account in without a browser. Returns a Cookie header. Throws a 404 Failure if there is no account. */
    createSession: async (email: string) => {
      const user = await db.selectFrom('users').select('id').where('email', '=', tidyEmail(email)).executeTakeFirst()
      if (!user) throw new Failure(404, `There is no account for ${email}.`)
      const from = { ip: '', header: (name: string) => (name === 'user-agent' ? 'command line' : undefined) }
      return cookies.sessionPair(await insertSession(db, user.id, from, { countryOf }))
    },
  }
}

const fileRoute = ({ path, bytes }: typeof style, about: string) =>
  handleRaw(`GET ${path}`, { access: 'public', about }, async ({ header }) => {
    const { body, encoding } = pack(bytes, header('accept-encoding') ?? '')
    return { status: 200, headers: { ...bytes.headers, ...(encoding && { 'content-encoding': encoding }) }, body }
  })

/** A link of the shop signs out at once. A link of another origin shows a confirmation first. */
function logoutRoutes(context: Context): Route[] {
  return [
    getPage(context, LOGOUT_PATH, 'Ends the session and goes to the landing page.', (page) =>
      isOurOwnLink(page) ? signOut(context, page, 302) : confirmPage(context),
    ),
    postForm(context, LOGOUT_PATH, 'The same, from the page that asks.', (page) => signOut(context, page, 303)),
  ]
}

function isOurOwnLink({ header }: Page): boolean {
  const site = header('sec-fetch-site')
  const isMeant = site === undefined || site === 'same-origin' || site === 'none'
  // a prefetch must not sign out
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
    LOGOUT_PATH,
    {},
    {
      title: 'Sign out?',
      lead: `Another site sent you here. Do you want to sign out of ${look.storeName}?`,
      button: 'Sign out',
      cancel: html`<a class="btn btn--line btn--wide" href="/">Stay signed in</a>`,
    },
  )
}
