import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import type { MailSeal } from '../../kit/mail/mailSeal.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { insertUser, putPassword } from '../accounts/account.store.server.ts'

// A sign-up is a row in `verifications` until its mailed link is opened; only then is there an account. So nobody can
// lay a password on an address that is not theirs, and an address that has an account gets a row just the same: what the
// browser sees, and how long it takes, does not tell the two apart.

export const SIGN_UP_LIVES = 24 * 3600

const SignUp = z.object({
  email: z.string(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  passwordHash: z.string(),
  returnTo: z.string(),
  /** Hash of the half of the browser's cookie that only the browser has. */
  browser: z.string(),
})
export type SignUp = z.infer<typeof SignUp>

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
const newSecret = () => randomBytes(24).toString('base64url')
const identifierOf = (token: string) => `sign-up:${hashOf(token)}`

export type SignUps = ReturnType<typeof createSignUps>

type Shop = { config: Pick<Config, 'storeName'>; db: Db; linkOf: (path: string) => string; seal: MailSeal }

export function createSignUps({ config, db, linkOf, seal }: Shop) {
  /** Writes a sign-up down and mails its owner; answers the cookie value that marks this browser as the one it began in. */
  async function begin(given: Omit<SignUp, 'browser'>): Promise<string> {
    const [token, secret] = [newSecret(), newSecret()]
    const id = await inTransaction(db, async (tx) => {
      const value: SignUp = { ...given, browser: hashOf(secret) }
      const row = await tx
        .insertInto('verifications')
        .values({ identifier: identifierOf(token), value: JSON.stringify(value), expiresAt: endOfLife() })
        .returning('id')
        .executeTakeFirstOrThrow()
      await mail(tx, given.email, token)
      return row.id
    })
    return `${id}.${secret}`
  }

  /** What this browser began and has not finished. */
  async function begunIn(cookie: string): Promise<(SignUp & { id: string }) | null> {
    const [id = '', secret = ''] = cookie.split('.')
    if (!isUuid(id)) return null
    const row = await db
      .selectFrom('verifications')
      .select(['id', 'value', 'identifier'])
      .where('id', '=', id)
      .where('expiresAt', '>', sql<Date>`now()`)
      .executeTakeFirst()
    if (!row?.identifier.startsWith('sign-up:')) return null
    const signUp = read(row.value)
    return isSame(signUp.browser, hashOf(secret)) ? { ...signUp, id: row.id } : null
  }

  /** Mails a new link; the one before it stops working. */
  async function mailAgain({ id, email }: { id: string; email: string }) {
    const token = newSecret()
    await inTransaction(db, async (tx) => {
      await tx
        .updateTable('verifications')
        .set({ identifier: identifierOf(token), expiresAt: endOfLife(), updatedAt: sql`now()` })
        .where('id', '=', id)
        .execute()
      await mail(tx, email, token)
    })
  }

  /** The sign-up whose link this is, as long as it works. */
  async function byToken(token: string): Promise<(SignUp & { id: string }) | null> {
    const row = await db
      .selectFrom('verifications')
      .select(['id', 'value'])
      .where('identifier', '=', identifierOf(token))
      .where('expiresAt', '>', sql<Date>`now()`)
      .executeTakeFirst()
    return row ? { ...read(row.value), id: row.id } : null
  }

  /** Uses the link up and makes the account. 'known' when the address has got one meanwhile, null when it was used. */
  async function finish(token: string): Promise<{ userId: string } | 'known' | null> {
    return inTransaction(db, async (tx) => {
      const row = await tx
        .deleteFrom('verifications')
        .where('identifier', '=', identifierOf(token))
        .where('expiresAt', '>', sql<Date>`now()`)
        .returning('value')
        .executeTakeFirst()
      if (!row) return null
      const { email, firstName, lastName, passwordHash } = read(row.value)
      const userId = await insertUser(tx, { email, firstName, lastName, isEmailVerified: true })
      if (!userId) return 'known'
      await putPassword(tx, userId, passwordHash)
      return { userId }
    })
  }

  /** The names that were typed stay out of it: anybody can type an address and have us write to it. */
  async function mail(tx: Tx, email: string, token: string) {
    const known = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    const key = `sign-up:${hashOf(token)}`
    const again = linkOf('/api/login/password')
    await sendMail(
      tx,
      config,
      known
        ? {
            key,
            to: email,
            subject: 'You already have an account',
            lines: [
              `Someone, hopefully you, tried to sign up at ${config.storeName} with this address. It already has an account, and nothing about it has changed.`,
              `If you do not remember your password, choose a new one at ${linkOf('/api/login/forgot')}`,
            ],
            action: { label: 'Sign in', url: again },
          }
        : {
            key,
            to: email,
            subject: 'Confirm your email address',
            lines: [
              `Someone, hopefully you, signed up at ${config.storeName} with this address. Confirm it to sign in. The link works once and expires after 24 hours.`,
              'If this wasn’t you, you can ignore this email. No account will be created.',
            ],
            action: { label: 'Confirm', url: linkOf(`/api/login/verify?token=${seal.seal(token, email)}`) },
          },
    )
  }

  return { begin, begunIn, mailAgain, byToken, finish }
}

const endOfLife = () => sql<Date>`now() + make_interval(secs => ${SIGN_UP_LIVES})`
const read = (value: string): SignUp => SignUp.parse(JSON.parse(value))

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
