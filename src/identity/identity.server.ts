import { createHash, hkdfSync } from 'node:crypto'
import type { Bus } from '../kit/bus.server.ts'
import { pack } from '../kit/cache.server.ts'
import type { Config } from '../kit/config.server.ts'
import { type Database, type Db, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, handleRaw, type Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { createLimiter } from '../kit/limit.server.ts'
import { log } from '../kit/log.server.ts'
import { isLoopback } from '../kit/loopback.ts'
import { sendMail } from '../kit/mail.server.ts'
import { tidyEmail } from './account.rules.ts'
import { accountRoutes } from './account.server.ts'
import { type NewUser, putUser } from './accounts.server.ts'
import { addressRoutes } from './addresses.server.ts'
import { codeRoutes } from './code.server.ts'
import { createCookies } from './cookies.server.ts'
import type { Desk } from './desk.server.ts'
import { devMailRoutes } from './devMail.server.ts'
import { openEngine } from './engine.server.ts'
import { type CurrentUser, getCurrentUser } from './identity.contract.ts'
import { logoutRoutes } from './logout.server.ts'
import { style, STYLE_PATH } from './pages.server.ts'
import { resetRoutes } from './reset.server.ts'
import { safeReturnTo, withReturnTo } from './returnTo.rules.ts'
import { secondFactorRoutes } from './secondFactor.server.ts'
import { createSecondFactors } from './secondFactors.server.ts'
import { type Identify, sweepIdentity, watchSessions } from './sessions.server.ts'
import { signInRoutes } from './signIn.server.ts'
import { signUpRoutes } from './signUp.server.ts'
import { createSignUps } from './signUps.server.ts'
import { verifyRoutes } from './verify.server.ts'

export type Identity = {
  /** Who sent this Cookie header. */
  identify: Identify
  routes: Route[]
  jobs: Job[]
  /** Makes an account, or brings the one of this email up to date with what is given; answers its id. */
  createUser: (input: NewUser) => Promise<string>
  /** Signs an account in from outside a browser; answers the value of a Cookie header. Throws a 404 Failure. */
  createSession: (email: string) => Promise<string>
}

export async function openIdentity({
  config,
  database,
  bus,
  secret,
  publicUrl,
}: {
  config: Config
  database: Database
  bus: Bus
  secret: string
  publicUrl: string
}): Promise<Identity> {
  const { db } = database
  const isTls = publicUrl.startsWith('https:')
  // a key of its own: the secret signs download links and more elsewhere
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'identity', 32)).toString('base64url')
  const cookies = createCookies({ secret: key, isSecure: isTls })
  const linkOf = (path: string) => publicUrl + path
  const engine = await openEngine({
    pool: database.pool,
    secret: key,
    publicUrl,
    cookieName: cookies.sessionName,
    isSecure: isTls,
    onReset: (reset) => mailReset(db, config, linkOf, reset),
  })
  // who reads the mails takes over accounts, so they are shown on a shop of this machine alone
  const areMailsKept =
    config.smtpUrl === undefined && config.mode !== 'production' && isLoopback(new URL(publicUrl).hostname)
  if (config.smtpUrl === undefined && !areMailsKept) {
    log.warn('SMTP_URL is not set: nobody can confirm an email address or reset a password')
  }
  const desk: Desk = {
    config,
    db,
    engine,
    cookies,
    signUps: createSignUps(config, db, linkOf),
    secondFactors: createSecondFactors(db, secret),
    limiter: createLimiter({ scale: config.rateLimitScale }),
    linkOf,
    look: { storeName: config.storeName, isTls },
    areMailsKept,
  }

  return {
    identify: await watchSessions(database, bus, cookies),
    routes: [
      handle(getCurrentUser, (_, { user }) => currentUser(db, user.id)),
      ...accountRoutes(desk),
      ...secondFactorRoutes(desk),
      ...addressRoutes(desk),
      ...signInRoutes(desk),
      ...codeRoutes(desk),
      ...signUpRoutes(desk),
      ...verifyRoutes(desk),
      ...resetRoutes(desk),
      ...logoutRoutes(desk),
      handleRaw(`GET ${STYLE_PATH}`, { access: 'public', about: 'How the sign-in pages look.' }, async ({ header }) => {
        const { body, encoding } = pack(style, header('accept-encoding') ?? '')
        return { status: 200, headers: { ...style.headers, ...(encoding && { 'content-encoding': encoding }) }, body }
      }),
      ...(areMailsKept ? devMailRoutes(desk) : []),
    ],
    jobs: [{ name: 'sweep_identity', cron: '23 * * * *', run: () => sweepIdentity(db) }],
    createUser: (input) => putUser(db, input),
    createSession: async (email) => {
      const user = await db.selectFrom('users').select('id').where('email', '=', tidyEmail(email)).executeTakeFirst()
      if (!user) throw new Failure(404, `There is no account for ${email}.`)
      return cookies.sessionPair(await engine.startSession(user.id, { ip: '', userAgent: 'command line' }))
    },
  }
}

export async function currentUser(db: Db, id: string): Promise<CurrentUser> {
  const user = await db
    .selectFrom('users')
    .select((row) => [
      'id',
      'email',
      'firstName',
      'lastName',
      'image',
      'role',
      'createdAt',
      'emailVerified',
      row
        .exists(
          row
            .selectFrom('secondFactors')
            .select('secondFactors.userId')
            .whereRef('secondFactors.userId', '=', 'users.id')
            .where('confirmedAt', 'is not', null),
        )
        .as('twoFactorEnabled'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!user) throw new Failure(401, 'Unauthorized')
  const { image, role, createdAt, twoFactorEnabled, ...same } = user
  return {
    ...same,
    profileImageUrl: image,
    isAdmin: role === 'admin',
    createdAt: createdAt.toISOString(),
    twoFactorEnabled: twoFactorEnabled === true,
  }
}

async function mailReset(
  db: Db,
  config: Config,
  linkOf: (path: string) => string,
  { email, token, returnTo }: { email: string; token: string; returnTo: string | null },
) {
  const path = withReturnTo(`/api/login/reset?token=${token}`, safeReturnTo(returnTo))
  await inTransaction(db, (tx) =>
    sendMail(tx, config, {
      // the token itself must not stand in a second place
      key: `reset:${createHash('sha256').update(token).digest('base64url')}`,
      to: email,
      subject: 'Choose a new password',
      lines: [
        `Somebody, probably you, asked to choose a new password for this address at ${config.storeName}. The link works once, for one hour.`,
        'If it was not you, leave this mail alone: your password stays as it is.',
      ],
      action: { label: 'Choose a new password', url: linkOf(path) },
    }),
  )
}
