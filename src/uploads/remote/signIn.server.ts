import { createHash } from 'node:crypto'
import { Failure } from '../../kit/failure.ts'
import type { Answer, MemberPage } from '../../kit/handle.server.ts'
import { createSeal } from '../../kit/seal.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { required } from '../../kit/values/required.ts'
import { originOf } from '../address.server.ts'
import type { Companion, CompanionAnswer, GrantSession } from './companion.server.ts'
import { COMPANION_PATH, type RemoteSource } from './sources.ts'

// The sign-in at a cloud. An encrypted cookie stores its state between the two requests.

const SIGN_IN_SECONDS = 15 * 60
const MAX_HOPS = 5

type SignInContext = {
  publicUrl: string | undefined
  secret: string
  companionOf: (origin: string) => Promise<Companion>
}

export function openSignIn({ publicUrl, secret, companionOf }: SignInContext) {
  const seal = createSeal(secret, 'companion sign-in')
  const isTls = publicUrl?.startsWith('https:') ?? false

  function readSession({ header, user }: MemberPage): GrantSession {
    const sealed = /(?:^|;\s*)primo-cloud=([\w-]+)/.exec(header('cookie') ?? '')?.[1]
    const opened = sealed && seal.open(Buffer.from(sealed, 'base64url'), user.id)
    return opened ? (JSON.parse(opened.toString()) as GrantSession) : {}
  }

  function cookieOf(session: GrantSession | null, { user }: MemberPage) {
    const value = session ? seal.seal(JSON.stringify(session), user.id).toString('base64url') : ''
    const seconds = session ? SIGN_IN_SECONDS : 0
    return `primo-cloud=${value}; Path=${COMPANION_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isTls ? '; Secure' : ''}`
  }

  /** Follows Companion's redirects to itself, so that no browser gets a cloud's token in a URL. */
  async function askThrough(page: MemberPage, path: string, session: GrantSession): Promise<CompanionAnswer> {
    const origin = originOf(publicUrl, page.header)
    const companion = await companionOf(origin)
    for (let hop = 0; ; hop++) {
      const answer = await companion.ask({ method: 'GET', path, session })
      const to = answer.location?.startsWith(`${origin}/`) ? answer.location.slice(origin.length) : answer.location
      if (!to?.startsWith(`${COMPANION_PATH}/`)) return answer
      if (hop === MAX_HOPS) throw new Failure(502, 'The sign-in did not come to an end. Please try again.')
      path = to
    }
  }

  async function connect(page: MemberPage, source: RemoteSource): Promise<Answer> {
    const state = Buffer.from(JSON.stringify({ origin: originOf(publicUrl, page.header) })).toString('base64')
    const session: GrantSession = {}
    const path = `${COMPANION_PATH}/${source}/connect?${new URLSearchParams({ state }).toString()}`
    const { location } = await askThrough(page, path, session)
    if (!location) throw new Failure(502, 'The sign-in could not start. Please try again.')
    return {
      status: 302,
      headers: { ...COMMON, location, 'set-cookie': cookieOf(session, page), 'cache-control': PERSONAL },
    }
  }

  async function comeBack(page: MemberPage, source: RemoteSource): Promise<Answer> {
    const query = page.url.split('?')[1] ?? ''
    const { status, type, body } = await askThrough(
      page,
      `${COMPANION_PATH}/${source}/redirect?${query}`,
      readSession(page),
    )
    // without the session of the sign-in, Companion returns no page
    const isPage = type.startsWith('text/html') && (status === 200 || status === 400)
    const given = isPage ? body.toString() : abortedPage(originOf(publicUrl, page.header))
    // delays the closing, because the page may disappear before its message is read
    const html = given.replaceAll('window.close()', 'setTimeout(() => window.close(), 500)')
    return {
      status: isPage ? status : 400,
      headers: {
        ...COMMON,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(html),
        'cache-control': PERSONAL,
        'referrer-policy': 'no-referrer',
        'set-cookie': cookieOf(null, page),
      },
      body: html,
    }
  }

  return { connect, comeBack }
}

const abortedPage = (origin: string) =>
  `<!doctype html><meta charset="utf-8"><title>Sign-in aborted</title><script>window.opener?.postMessage({ error: true }, ${JSON.stringify(origin)}); window.close()</script><p>This sign-in took too long, or another account began it. Close this window and try again.</p>`

/** Builds a policy that allows only the scripts of this page. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(required(script, 'a script')).digest('base64')}'`,
  )
  return `default-src 'none'; script-src ${hashes.join(' ') || "'none'"}; frame-ancestors 'none'; base-uri 'none'`
}
