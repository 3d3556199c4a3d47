import type { Config } from '../../kit/config.server.ts'
import { type Db, isDatabaseAway, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Page, RawRoute } from '../../kit/handle.server.ts'
import { type Html, html } from '../../kit/html.server.ts'
import { isLoopback } from '../../kit/loopback.ts'
import { type Limit, networkOf, wideNetworkOf } from '../../kit/serve/limit.server.ts'
import type { MailSeal } from '../../kit/mail/mailSeal.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { isKnownDevice } from '../audit/security.server.ts'
import type { Leaving } from '../accounts/deletion.contract.ts'
import type { Cookies } from '../sessions/cookies.server.ts'
import type { Passkeys } from '../passkeys/passkey.store.server.ts'
import { type Look, renderPage } from './page.server.ts'
import { safeReturnTo } from '../sign-in/returnTo.rules.ts'
import type { SecondFactors } from '../second-factor/secondFactor.store.server.ts'
import type { CountryOf } from '../sessions/session.store.server.ts'
import type { SignUps } from '../sign-up/signUp.store.server.ts'
import { hashToken } from '../token.store.server.ts'

export type Context = {
  config: Pick<Config, 'storeName'>
  db: Db
  cookies: Cookies
  signUps: SignUps
  secondFactors: SecondFactors
  /** Shared by all nodes, because it protects passwords. */
  limiter: SharedLimiter
  passkeys: Passkeys
  linkOf: (path: string) => string
  seal: MailSeal
  look: Look
  /** False if people sign up and sign in at an identity provider. The shop then mails no sign-in links. */
  hasSignUp: boolean
  /** Without a mail server, a local shop shows its mails at /dev/mail. */
  areMailsKept: boolean
  countryOf: CountryOf | undefined
  /** Describes the effects of a deletion on the money of an account. The payment rooms implement this. */
  leaving: (db: Db | Tx, userId: string) => Promise<Leaving>
  /** Takes the products of an account off sale while its deletion is pending. Otherwise puts them back on sale. */
  updateSale: (tx: Tx, userId: string) => Promise<unknown>
}

/** Only a shop on a loopback address shows mails, because their links sign in to accounts. */
export const areMailsKept = ({ smtpUrl, mode }: Pick<Config, 'smtpUrl' | 'mode'>, publicUrl: string) =>
  smtpUrl === undefined && mode !== 'production' && isLoopback(new URL(publicUrl).hostname)

const PER_ADDRESS: Limit = { per: 'address', count: 9, seconds: 60 }
// the owner of a /48 has 65,536 IPv6 networks, so a /48 gets ten times the attempts of one network
const PER_WIDE: Limit = { per: 'address', count: 90, seconds: 60 }
const PER_ACCOUNT: Limit = { per: 'account', count: 5, seconds: 15 * 60 }
// per recipient for all networks together: stops a mail bomb, but not an owner who retries
const PER_RECIPIENT: Limit = { per: 'account', count: 20, seconds: 24 * 3600 }
// one network cannot spend the budget of the recipient
const PER_SENDER: Limit = { per: 'account', count: 8, seconds: 24 * 3600 }
const PER_DEVICE: Limit = { per: 'account', count: 8, seconds: 24 * 3600 }
const PER_ACCOUNT_WIDE: Limit = { per: 'account', count: 20, seconds: 15 * 60 }

/** Counts a posted form of this kind. Returns the seconds to wait, or 0. */
export async function countForm({ limiter }: Context, kind: string, { ip }: Page): Promise<number> {
  const [network, wide] = [networkOf(ip), wideNetworkOf(ip)]
  const wait = await limiter.take(`${kind} ${network}`, PER_ADDRESS)
  return wait || wide === network ? wait : limiter.take(`${kind} ${wide}`, PER_WIDE)
}

export async function countAttempt({ limiter }: Context, kind: string, { ip }: Pick<Page, 'ip'>, account: string) {
  const [network, wide] = [networkOf(ip), wideNetworkOf(ip)]
  const budgets: [key: string, limit: Limit][] = [[`${kind} ${network} ${account}`, PER_ACCOUNT]]
  if (wide !== network) budgets.push([`${kind} ${wide} ${account}`, PER_ACCOUNT_WIDE])
  let wait = 0
  for (const [key, limit] of budgets) wait ||= await limiter.take(key, limit, `${kind} ${account}`)
  return {
    wait,
    forgive: async () => {
      for (const [key, limit] of budgets) await limiter.giveBack(key, limit)
    },
  }
}

/**
 * Counts a mail to this address. Returns the seconds to wait, or 0. A browser that signed in to the account before has a
 * separate budget. Otherwise strangers could lock the owner out.
 */
export async function countMail({ cookies, db, limiter }: Context, { ip, header }: Page, email: string) {
  const label = `mail ${email}`
  const device = hashToken(cookies.device.of(header('cookie')))
  if ((await isKnownDevice(db, email, device)) && !(await limiter.take(`mail ${device} ${email}`, PER_DEVICE, label)))
    return 0
  const budgets: [key: string, limit: Limit][] = [
    [`mail ${networkOf(ip)} ${email}`, PER_ACCOUNT],
    [`mails of ${wideNetworkOf(ip)} ${email}`, PER_SENDER],
    [`mail to ${email}`, PER_RECIPIENT],
  ]
  let wait = 0
  for (const [key, limit] of budgets) wait ||= await limiter.take(key, limit, label)
  return wait
}

/** Resets the attempts from all networks after the owner proved the address. */
export const forgiveAttempts = ({ limiter }: Context, kind: string, account: string) =>
  limiter.forget(`${kind} ${account}`)

export function tooMany(wait: number | undefined, why = 'Too many attempts from this connection.'): string | undefined {
  if (!wait) return undefined
  return `${why} Wait ${wait < 100 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`} and try again.`
}

export const returnToOf = ({ query }: Page) => safeReturnTo(query.get('returnTo'))

export const tokenOf = ({ query }: Page) => /^[\w-]{16,64}$/.exec(query.get('token') ?? '')?.[0] ?? ''

// longer than the work whose duration it hides
const SAME_TIME_MS = 250

/** Call it before the work and await it before the response. The timing then does not reveal if an account exists. */
export const sameTime = () => new Promise<void>((done) => setTimeout(done, SAME_TIME_MS))

export function asPage({ look }: Pick<Context, 'look'>, run: RawRoute['run']): RawRoute['run'] {
  return async (page) => {
    try {
      return await run(page)
    } catch (error) {
      const isBusy = isDatabaseAway(error) || (error instanceof Failure && error.status === 503)
      if (!isBusy) throw error
      return renderPage(look, {
        title: 'Please try again',
        lead: 'The store is busy right now. Nothing was changed. Wait a few seconds, then go back and try again.',
        content: html`<a class="btn btn--line" href="/api/login">Back to sign in</a>`,
        status: 503,
        headers: { 'retry-after': '3' },
      })
    }
  }
}

export function keptMailsNote({ areMailsKept }: Context): Html | false {
  return (
    areMailsKept &&
    html`<div class="note">
      <p>No mail server is set, so this shop sends nothing: it keeps its mails here.</p>
      <a class="btn btn--small" href="/dev/mail">Open the mails</a>
    </div>`
  )
}
