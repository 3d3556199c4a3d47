import type { Config } from '../../kit/config.server.ts'
import { type Db, isDatabaseAway } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Answer, Page } from '../../kit/handle.server.ts'
import { type Html, html } from '../../kit/html.server.ts'
import { type Limit, networkOf, wideNetworkOf } from '../../kit/serve/limit.server.ts'
import type { MailSeal } from '../../kit/mail/mailSeal.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import type { Cookies } from '../sessions/cookies.server.ts'
import type { Engine } from '../engine.server.ts'
import type { Passkeys } from '../passkeys/passkey.store.server.ts'
import { type Look, renderPage } from './page.server.ts'
import { safeReturnTo } from '../sign-in/returnTo.rules.ts'
import type { SecondFactors } from '../second-factor/secondFactor.store.server.ts'
import type { From } from '../sessions/session.store.server.ts'
import type { SignUps } from '../sign-up/signUp.store.server.ts'

/** What the sign-in pages work with. */
export type Desk = {
  config: Pick<Config, 'storeName'>
  db: Db
  engine: Engine
  cookies: Cookies
  signUps: SignUps
  secondFactors: SecondFactors
  /** Shared by all nodes: they guard passwords. */
  limiter: SharedLimiter
  passkeys: Passkeys
  /** A path of the shop as a link in a mail. */
  linkOf: (path: string) => string
  /** What stands for the secret of such a link until the mail goes out. */
  seal: MailSeal
  look: Look
  /** True where mails are not sent but kept, and shown at /dev/mail. */
  areMailsKept: boolean
}

const PER_ADDRESS: Limit = { per: 'address', count: 9, seconds: 60 }
// whoever has 65,536 networks of IPv6 guesses ten times as often as others, and not 65,536 times
const PER_WIDE: Limit = { per: 'address', count: 90, seconds: 60 }
const PER_ACCOUNT: Limit = { per: 'account', count: 5, seconds: 15 * 60 }
const PER_ACCOUNT_WIDE: Limit = { per: 'account', count: 20, seconds: 15 * 60 }

/** Counts one posted form of this kind; answers 0, or the seconds to wait. */
export async function countForm({ limiter }: Desk, kind: string, { ip }: Page): Promise<number> {
  const [network, wide] = [networkOf(ip), wideNetworkOf(ip)]
  const wait = await limiter.take(`${kind} ${network}`, PER_ADDRESS)
  return wait || wide === network ? wait : limiter.take(`${kind} ${wide}`, PER_WIDE)
}

/**
 * Counts one attempt on an account from one address, and from the wide network around it, so that nobody elsewhere can
 * use up the owner's attempts.
 */
export async function countAttempt({ limiter }: Desk, kind: string, { ip }: Pick<Page, 'ip'>, account: string) {
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

/** Forgets the attempts on an account, from wherever they came: its owner has just proved to be the owner. */
export const forgiveAttempts = ({ limiter }: Desk, kind: string, account: string) =>
  limiter.forget(`${kind} ${account}`)

/** What the alert says when one of these asks to wait; nothing when it does not. */
export function tooMany(wait: number | undefined, why = 'Too many attempts from this connection.'): string | undefined {
  if (!wait) return undefined
  return `${why} Wait ${wait < 100 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`} and try again.`
}

export const returnToOf = ({ query }: Page) => safeReturnTo(query.get('returnTo'))

/** The secret of a mailed link, or '' when there is nothing that could be one. */
export const tokenOf = ({ query }: Page) => /^[\w-]{16,64}$/.exec(query.get('token') ?? '')?.[0] ?? ''

export const fromOf = ({ ip, header }: Pick<Page, 'ip' | 'header'>): From => ({
  ip,
  userAgent: header('user-agent'),
  header,
})

// longer than the work takes
const SAME_TIME_MS = 250

/** Begins before the work; awaited before an answer that must not tell whether an account exists. */
export const sameTime = () => new Promise<void>((done) => setTimeout(done, SAME_TIME_MS))

/** Turns what a person may run into into a page; all else is for serve.server.ts to answer. */
export function asPage({ look }: Desk, run: (page: Page) => Promise<Answer>): (page: Page) => Promise<Answer> {
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

/** On a shop without a mail server: where the mails are. */
export function keptMailsNote({ areMailsKept }: Desk): Html | false {
  return (
    areMailsKept &&
    html`<div class="note">
      <p>No mail server is set, so this shop sends nothing: it keeps its mails here.</p>
      <a class="btn btn--small" href="/dev/mail">Open the mails</a>
    </div>`
  )
}
