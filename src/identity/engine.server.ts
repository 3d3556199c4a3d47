import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import type pg from 'pg'
import type { Db } from '../kit/database.server.ts'
import { log } from '../kit/log.server.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './accounts/account.rules.ts'
import { hashPassword, isPassword } from './password/passwordHash.server.ts'
import { type CountryOf, type From, insertSession, type SessionOptions } from './sessions/session.store.server.ts'

// The identity library, named here and nowhere else. Its HTTP handler is not mounted: our pages call these few verbs, so
// nothing it could answer by itself can be reached from outside. See decisions/0003.

const DAY = 24 * 3600
const RESET_LIVES = 3600

export type Engine = Awaited<ReturnType<typeof openEngine>>

export async function openEngine({
  pool,
  db,
  secret,
  publicUrl,
  cookieName,
  isSecure,
  onReset,
  countryOf,
}: {
  pool: pg.Pool
  db: Db
  secret: string
  publicUrl: string
  cookieName: string
  isSecure: boolean
  /** A link was asked for: mail it. */
  onReset: (reset: { email: string; token: string; returnTo: string | null }) => Promise<void>
  countryOf?: CountryOf | undefined
}) {
  const auth = betterAuth({
    database: pool,
    secret,
    baseURL: publicUrl,
    basePath: '/api/identity',
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: 'error',
      disableColors: true,
      log: (_level, message) => log.warn('the identity library', { message }),
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        firstName: { type: 'string', required: false, fieldName: 'first_name' },
        lastName: { type: 'string', required: false, fieldName: 'last_name' },
        role: { type: 'string', required: false, defaultValue: 'member', input: false },
      },
    },
    session: {
      modelName: 'sessions',
      fields: {
        // a token of the library's own making is no hash: the table does not take it
        token: 'token_hash',
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: DAY,
      // sessions.server.ts prolongs them, within their 14 days
      disableSessionRefresh: true,
      // a cached cookie outlives the session it was made from
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'accounts',
      fields: {
        accountId: 'account_id',
        providerId: 'provider_id',
        userId: 'user_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
      disableCleanup: true,
    },
    emailAndPassword: {
      enabled: true,
      // accounts are made by signUps.server.ts once the address is proven
      disableSignUp: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(password, hash) },
      resetPasswordTokenExpiresIn: RESET_LIVES,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token, url }) =>
        onReset({ email: user.email, token, returnTo: new URL(url).searchParams.get('callbackURL') }),
    },
    advanced: {
      database: { generateId: 'uuid' },
      cookies: { session_token: { name: cookieName, attributes: { secure: isSecure } } },
      useSecureCookies: false,
    },
  })
  const { internalAdapter } = await auth.$context

  return {
    auth,

    /** A session for somebody who has shown who they are; answers its token. */
    startSession: (userId: string, from: From, options: SessionOptions = {}): Promise<string> =>
      insertSession(db, userId, from, { countryOf, ...options }),

    /** Mails a link when the account exists. */
    async requestReset(email: string, returnTo: string) {
      await auth.api.requestPasswordReset({ body: { email, redirectTo: returnTo } })
    },

    /** Whose reset link this is, as long as it works. */
    async resetOwner(token: string): Promise<string | null> {
      const found = await internalAdapter.findVerificationValue(`reset-password:${token}`)
      return found && found.expiresAt > new Date() ? found.value : null
    },

    /** Every reset link of this account stops working. A sign-up keeps its own rows elsewhere. */
    async endResets(userId: string) {
      await pool.query('DELETE FROM verifications WHERE value = $1', [userId])
    },

    /** False when the link was used or has run out. */
    async resetPassword(token: string, newPassword: string): Promise<boolean> {
      try {
        await auth.api.resetPassword({ body: { token, newPassword } })
        return true
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return false
        throw error
      }
    },
  }
}
