import type { FastifyRequest } from 'fastify'
import { type Endpoint, isAllowed, isForStaff, type Line, proofMissing } from '../contract.ts'
import { ACCOUNT_HEADER, ACTIVE_HEADER, OTHER_ACCOUNT } from '../call.ts'
import { Failure } from '../failure.ts'
import type { Caller, User } from '../handle.server.ts'
import { type Limit, networkOf } from './limit.server.ts'
import { isLoopback } from '../loopback.ts'
import { tokenOf } from '../secret.server.ts'
import type { ServeOptions } from './options.server.ts'

const BODY_TIMEOUT_MS = 30_000
export const ANSWER_TIMEOUT_MS = 30_000

export function callerOf(request: FastifyRequest, user: User | null, options: ServeOptions): Caller<'public'> {
  const { database, isVerified } = options
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  const { cookie } = request.headers
  // a proof of staff proves nothing for the member whose shop they see
  const isViewed = user?.view !== undefined
  const isProven = async () => !isViewed && ((await isVerified?.(cookie)) ?? false)
  // only requests after a user action carry this header, so polling pages do not prolong the session
  const isWorking = async () =>
    !isViewed && ((await options.isWorking?.(cookie, header(ACTIVE_HEADER) !== undefined)) ?? false)
  return { ...database, user, ip: request.ip, header, isProven, isWorking }
}

export const viewRefused = () =>
  new Failure(409, 'You see the shop as this member. Nothing can be changed or opened.', 'viewing')

/** Refuses the calls of staff who see the shop as a member, except the `viewable` ones. */
export function refuseView(user: User | null, line: Line, { viewable }: Pick<ServeOptions, 'viewable'>) {
  if (user?.view && !viewable?.has(line)) throw viewRefused()
}

/** Refuses the calls of a page that shows another account, for example after a sign-in in another tab. */
export function refuseOtherAccount(user: User | null, { headers }: Pick<FastifyRequest, 'headers'>) {
  const shown = headers[ACCOUNT_HEADER]
  if (user && shown !== undefined && shown !== user.id)
    throw new Failure(409, 'Another account is signed in. Reload the page.', OTHER_ACCOUNT)
}

/** Returns the caller of a call. Refuses callers whom the route does not admit. */
export async function identifyFor(
  { line, access }: Pick<Endpoint, 'line' | 'access'>,
  request: FastifyRequest,
  options: ServeOptions,
) {
  const { headers, routeOptions } = request
  const user = headers.cookie ? await options.identify(headers.cookie) : null
  refuseOtherAccount(user, request)
  refuseView(user, line, options)
  if (access === 'token') {
    if (tokenOf(headers.authorization) === '') throw new Failure(401, 'Unauthorized')
    return null
  }
  if (access === 'public') return user
  if (!user) throw new Failure(401, 'Unauthorized')
  if (!isAllowed(access, user.role)) {
    await options.noteRefused?.(user, `${request.method} ${routeOptions.url}`)
    throw new Failure(403, 'Forbidden')
  }
  return user
}

const PROOFS: Limit = { per: 'account', count: 120, seconds: 60 }

/** Runs before the endpoint's limits, so that callers without a fresh proof do not use up the account's attempts. */
export async function demandProof(
  { access, stepUp }: Pick<Endpoint, 'access' | 'stepUp'>,
  { user, ip, isProven, isWorking }: Caller,
  { limiter }: ServeOptions,
) {
  if (!stepUp && !isForStaff(access)) return
  refuseFor(limiter.take(`proof ${user?.id} ${networkOf(ip)}`, PROOFS))
  if (isForStaff(access) && !(await isWorking())) throw proofMissing()
  if (stepUp && !(await isProven())) throw proofMissing()
}

export type Limiters = Pick<ServeOptions, 'limiter' | 'sharedLimiter'>
type Spender = Pick<Caller, 'user' | 'ip'>

const keyOfLimit = (line: string, { per, seconds }: Limit, { user, ip }: Spender) =>
  `${line} ${per} ${seconds} ${per === 'account' && user ? (user.view?.staffId ?? user.id) : networkOf(ip)}`

export function refuseFor(wait: number) {
  if (wait === 0) return
  const message = `Too many requests. Please wait ${wait} s and try again.`
  throw new Failure(429, message, 'too_many', { retryAfter: wait })
}

export function spendHere(line: string, limits: Limit[], spender: Spender, { limiter }: Limiters) {
  for (const limit of limits) refuseFor(limiter.take(keyOfLimit(line, limit, spender), limit))
}

/** Checks the node's limits before the shared limits, so that rejected requests run no SQL. */
export async function spend(line: string, limits: Limit[], spender: Spender, options: Limiters) {
  spendHere(line, limits, spender, options)
  for (const limit of limits)
    if (limit.isShared && options.sharedLimiter)
      refuseFor(await options.sharedLimiter.take(keyOfLimit(line, limit, spender), limit))
}

export function isFromHere({ raw }: FastifyRequest): boolean {
  const forwarded = [raw.headers['x-forwarded-for'] ?? []].flat().join(',')
  const named = forwarded.split(',').map((address) => address.trim())
  const addresses = [raw.socket.remoteAddress ?? '', ...(forwarded ? named : [])]
  return raw.headers.forwarded === undefined && addresses.every(isLoopback)
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export function checkHost(request: FastifyRequest, publicUrl: string | undefined) {
  const host = request.headers.host ?? ''
  // of two Host headers, Node.js uses the first, but a proxy may route by the second
  if (request.raw.headersDistinct.host?.length !== 1 && request.raw.httpVersion === '1.1')
    throw new Failure(400, 'A request names one host.')
  const isKnown = publicUrl ? host === new URL(publicUrl).host : LOOPBACK.test(host)
  const isProbe = request.url === '/healthz' || request.url === '/readyz'
  // other servers may use any host name that reaches the shop, because no link contains it
  if (!isKnown && !isProbe && !request.routeOptions.config.isServerCall)
    throw new Failure(421, 'This shop does not answer to that host name; set PUBLIC_URL to the address customers use.')
}

const BROWSER = /^Mozilla\//

/** Accepts writes from pages of the shop and from clients other than browsers (decision 0029). */
export function checkOrigin(request: FastifyRequest, publicUrl: string | undefined) {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const { origin, host, cookie } = request.headers
  const own = publicUrl ? new URL(publicUrl).origin : `http://${host}`
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure(403, 'Forbidden')
  if (origin !== undefined && origin !== own) throw new Failure(403, 'Forbidden')
  // other methods and JSON need a preflight, which the shop never allows
  const isSimple = request.method === 'POST' && !request.headers['content-type']?.startsWith('application/json')
  const isNameless = site === undefined && origin === undefined
  if (cookie && isNameless && isSimple && BROWSER.test(request.headers['user-agent'] ?? ''))
    throw new Failure(403, 'Forbidden')
}

/** Closes the connection if a body takes longer than 30 s, or if a streamed body pauses for 30 s. */
export function boundBody({ raw, routeOptions }: FastifyRequest, idleMs = ANSWER_TIMEOUT_MS) {
  const stop = () => raw.destroy()
  if (routeOptions.config.isStream) {
    raw.setTimeout(idleMs, stop)
    // store the socket, because an aborted request has none when it closes
    const { socket } = raw
    raw.once('close', () => socket.setTimeout(idleMs))
    return
  }
  const timer = setTimeout(stop, BODY_TIMEOUT_MS)
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
}
