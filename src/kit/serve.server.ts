// Over 300 lines because it is the one file that names the HTTP library: routes become answers, errors become HTTP.
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Readable } from 'node:stream'
import { checkValue, parseJson } from './body.server.ts'
import { type ByteCache, type Bytes, pack } from './cache.server.ts'
import type { Access, Endpoint } from './contract.ts'
import { type Database, isDatabaseAway } from './database.server.ts'
import { Failure } from './failure.ts'
import {
  type Answer,
  type CachedRoute,
  type CallRoute,
  isJsonText,
  lineOf,
  type Page,
  type RawRoute,
  type Route,
  type User,
} from './handle.server.ts'
import { JSON_HEADERS, PERSONAL } from './headers.server.ts'
import { type Limit, type Limiter, networkOf } from './limit.server.ts'
import { log } from './log.server.ts'
import { isLoopback } from './loopback.ts'
import { MEMBER_HEADER } from './memberHeader.ts'

const JSON_BODY_LIMIT = 64 * 1024
const BODY_TIMEOUT_MS = 30_000
const ANSWER_TIMEOUT_MS = 30_000
const MOST_CONNECTIONS = 4_000
const DRAIN_MS = 20_000
const LONGEST_QUERY = 2048

declare module 'fastify' {
  interface FastifyContextConfig {
    isStream?: boolean
    isServerCall?: boolean
  }
}

export type ServeOptions = {
  routes: Route[]
  database: Database
  cache: ByteCache
  limiter: Limiter
  /** Who sent this Cookie header. */
  identify: (cookie: string | undefined) => Promise<User | null>
  /** Answers GET for every path that no route has: assets, pages, the 404. */
  fallback: (page: Page) => Promise<Answer>
  /** Answers a browser that opens this path while the database is away; null where that is no page. */
  busyPage?: (path: string) => Answer | null
  /** The address customers use; undefined on a developer's machine, where any loopback name will do. */
  publicUrl: string | undefined
  isProxyTrusted: boolean
  host: string
  port: number
  /** How long a connection may stand still, as that of a client who does not read; 30 s. */
  idleMs?: number
  mostConnections?: number
}

export type Close = (options?: { withinMs?: number }) => Promise<void>
export type Server = { url: string; port: number; close: Close }

/**
 * Starts to listen. The returned `close` stops accepting, lets running requests finish, and resolves; what still runs
 * after `withinMs` (20 s) is cut off.
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const app = fastify({
    // one hop: the proxy in front of us, which overwrites the header
    trustProxy: options.isProxyTrusted ? (_address, hop) => hop < 1 : false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 5_000,
    requestTimeout: 0,
    // neither side has moved a byte: an answer that nobody reads, or a body that does not come
    connectionTimeout: options.idleMs ?? ANSWER_TIMEOUT_MS,
    bodyLimit: JSON_BODY_LIMIT,
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: true,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, maxHeaderSize: 16 * 1024 },
    clientErrorHandler: (_error, socket) => {
      if (!socket.writable) return socket.destroy()
      // the other side may keep its half open for ever
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n', () => socket.destroy())
      setTimeout(() => socket.destroy(), 1000).unref()
    },
    frameworkErrors: (error, _request, reply) => answerFailure(error, reply),
  })
  app.server.maxConnections = options.mostConnections ?? MOST_CONNECTIONS
  app.setErrorHandler((error: FastifyError, request, reply) => answerFailure(error, reply, request, options.busyPage))
  app.addHook('onRequest', async (request) => {
    checkHost(request, options.publicUrl)
    if (request.method !== 'GET' && request.method !== 'HEAD') boundBody(request, options.idleMs)
  })

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      try {
        done(null, parseJson(body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    })
    for (const route of options.routes) if (route.kind !== 'raw') await addCall(scope, route, options)
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // raw routes read their own bodies
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const route of options.routes) if (route.kind === 'raw') addRaw(scope, route, options)
  })
  const known = options.routes.map((route) => matcherOf(lineOf(route)))
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, options, known))

  await app.listen({ host: options.host, port: options.port })
  const { port } = app.server.address() as { port: number }
  const close: Close = async ({ withinMs = DRAIN_MS } = {}) => {
    const cut = setTimeout(() => app.server.closeAllConnections(), withinMs)
    await app.close().finally(() => clearTimeout(cut))
  }
  return { port, url: options.publicUrl ?? `http://localhost:${port}`, close }
}

// --- JSON calls

async function addCall(scope: FastifyInstance, route: CallRoute | CachedRoute, options: ServeOptions) {
  const { endpoint } = route
  const [method, url] = endpoint.line.split(' ') as [string, string]
  if (route.kind === 'cached') {
    await options.cache.watch(route.channels)
    scope.get(url, (request, reply) => answerCached(route, request, reply, options))
    return
  }
  scope.route({
    method,
    url,
    handler: async (request, reply) => {
      checkOrigin(request, options.publicUrl)
      const user = await identifyFor(endpoint.access, request, options)
      if (user && endpoint.access !== 'public') reply.header(MEMBER_HEADER, user.id)
      spend(endpoint.line, route.limits, request, reply, user, options.limiter)
      const input = readInput(endpoint, request)
      const result = await route.run(input as never, callerOf(request, user, options) as never)
      return sendJson(reply, endpoint, result)
    },
  })
}

async function answerCached(route: CachedRoute, request: FastifyRequest, reply: FastifyReply, options: ServeOptions) {
  spend(route.endpoint.line, route.limits, request, reply, null, options.limiter)
  if (request.url.length - request.url.indexOf('?') > LONGEST_QUERY && request.url.includes('?'))
    throw new Failure(400, 'The query is too long.')
  const key = options.cache.keyOf(request.url, () => keyOf(route.endpoint, readInput(route.endpoint, request)))
  let bytes: Bytes | Promise<Bytes | null> | null = options.cache.get(key, route.channels, async () =>
    route.load(readInput(route.endpoint, request) as never, options.database),
  )
  if (bytes instanceof Promise) bytes = await bytes
  if (bytes) return sendBytes(request, reply, bytes, 'public, no-cache')
  if (!route.otherwise) throw new Failure(404, 'Not found')
  const user = await options.identify(request.headers.cookie)
  const input = readInput(route.endpoint, request)
  return sendJson(reply, route.endpoint, await route.otherwise(input as never, callerOf(request, user, options)))
}

/** One key for everything that asks for the same: the order of the fields does not matter. */
function keyOf({ line }: Endpoint, input: unknown): string {
  const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined)
  return JSON.stringify([line, ...fields.sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Path parameters, then the query or the body, in one object; a name may come from one place only. */
function readInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const params = request.params as Record<string, string>
  checkValue(params)
  const given = request.method === 'GET' ? request.query : (request.body ?? {})
  if (request.method === 'GET') checkValue(given)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Failure(400, 'The body must be a JSON object.')
  for (const name of Object.keys(params))
    if (name in given) throw new Failure(400, `${name} stands in the path already.`)
  const input = endpoint.input.safeParse({ ...given, ...params })
  if (input.success) return input.data
  const issue = input.error.issues[0]!
  const field = issue.path.join('.')
  if (String(issue.path[0]) in params) throw new Failure(404, 'Not found')
  throw new Failure(400, field ? `${field}: ${issue.message}` : issue.message, 'invalid', { details: { field } })
}

function sendJson(reply: FastifyReply, endpoint: Endpoint, result: unknown) {
  reply.headers(JSON_HEADERS).header('cache-control', PERSONAL).code(endpoint.status)
  if (isJsonText(result)) {
    if (result.headers) reply.headers(result.headers)
    return reply.send(result.json)
  }
  return reply.send(JSON.stringify(endpoint.reply.parse(result)))
}

function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Bytes, cacheControl: string) {
  reply.headers(JSON_HEADERS).headers(bytes.headers)
  reply.header('cache-control', cacheControl).header('etag', bytes.etag).header('vary', 'Accept-Encoding')
  if (request.headers['if-none-match'] === bytes.etag) return reply.code(304).send()
  const { body, encoding } = pack(bytes, request.headers['accept-encoding'] ?? '')
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(body)
}

// --- pages, forms, files, webhooks

function addRaw(scope: FastifyInstance, route: RawRoute, options: ServeOptions) {
  const [method, url] = route.line.split(' ') as [string, string]
  scope.route({
    method,
    url,
    bodyLimit: Math.max(route.bodyLimit, 1),
    config: { isStream: route.body === 'stream', isServerCall: !route.isFromBrowser },
    handler: async (request, reply) => {
      if (route.isFromBrowser) checkOrigin(request, options.publicUrl)
      const user = await identifyFor(route.access, request, options)
      spend(route.line, route.limits, request, reply, user, options.limiter)
      const page = await pageOf(request, reply, user, options, route)
      return sendAnswer(reply, await route.run(page))
    },
  })
}

async function pageOf(
  request: FastifyRequest,
  reply: FastifyReply,
  user: User | null,
  options: ServeOptions,
  route?: RawRoute,
): Promise<Page> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const params = (request.params ?? {}) as Record<string, string>
  checkValue(params)
  return {
    ...callerOf(request, user, options),
    user,
    isFromHere: isFromHere(request),
    method: request.method,
    url: request.url,
    params,
    query: new URLSearchParams(request.url.split('?')[1] ?? ''),
    body: route?.body === 'bytes' ? await readBytes(request.raw, route.bodyLimit) : Buffer.alloc(0),
    stream: request.raw,
    signal: gone.signal,
  }
}

async function readBytes(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new Failure(413, 'The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function sendAnswer(reply: FastifyReply, { status, headers = {}, body }: Answer) {
  reply.code(status).header('x-content-type-options', 'nosniff').headers(headers)
  if (body !== undefined) return reply.send(body)
  // a HEAD that says how much a GET would bring: with nothing to send, the library would say 0
  return headers['content-length'] ? reply.send(Readable.from([])) : reply.send()
}

async function answerUnknown(request: FastifyRequest, reply: FastifyReply, options: ServeOptions, known: Matcher[]) {
  const path = request.url.split('?')[0]!
  const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (allowed.length > 0 && !allowed.includes(request.method)) {
    reply.header('allow', [...new Set(allowed)].join(', '))
    throw new Failure(405, 'Method not allowed')
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new Failure(404, 'Not found')
  const user = await options.identify(request.headers.cookie)
  return sendAnswer(reply, await options.fallback(await pageOf(request, reply, user, options)))
}

type Matcher = { method: string; pattern: RegExp }
function matcherOf(line: string): Matcher {
  const [method, url] = line.split(' ') as [string, string]
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
  return { method, pattern: new RegExp(`^${parts.join('/')}$`) }
}

// --- checks before any room is asked

function callerOf(request: FastifyRequest, user: User | null, { database }: ServeOptions) {
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  return { ...database, user, ip: request.ip, header }
}

async function identifyFor(access: Access, request: FastifyRequest, { identify }: ServeOptions): Promise<User | null> {
  const user = request.headers.cookie ? await identify(request.headers.cookie) : null
  if (access === 'public') return user
  if (!user) throw new Failure(401, 'Unauthorized')
  if (access === 'admin' && !user.isAdmin) throw new Failure(403, 'Forbidden')
  return user
}

function spend(
  line: string,
  limits: Limit[],
  request: FastifyRequest,
  reply: FastifyReply,
  user: User | null,
  limiter: Limiter,
) {
  for (const limit of limits) {
    const owner = limit.per === 'account' && user ? user.id : networkOf(request.ip)
    const wait = limiter.take(`${line} ${limit.per} ${limit.seconds} ${owner}`, limit)
    if (wait === 0) continue
    reply.header('retry-after', String(wait))
    throw new Failure(429, `Too many requests. Please wait ${wait} s and try again.`, 'too_many')
  }
}

function isFromHere({ raw }: FastifyRequest): boolean {
  const forwarded = [raw.headers['x-forwarded-for'] ?? []].flat().join(',')
  const named = forwarded.split(',').map((address) => address.trim())
  const addresses = [raw.socket.remoteAddress ?? '', ...(forwarded ? named : [])]
  return raw.headers.forwarded === undefined && addresses.every(isLoopback)
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

function checkHost(request: FastifyRequest, publicUrl: string | undefined) {
  const host = request.headers.host ?? ''
  const isKnown = publicUrl ? host === new URL(publicUrl).host : LOOPBACK.test(host)
  const isProbe = request.url === '/healthz' || request.url === '/readyz'
  // other servers, and this one, come by whatever address reaches us; links never take that from them
  if (!isKnown && !isProbe && !request.routeOptions.config.isServerCall)
    throw new Failure(421, 'This shop does not answer to that host name; set PUBLIC_URL to the address customers use.')
}

/** Writes come from our own pages (or from no browser at all): a foreign Origin or Sec-Fetch-Site is refused. */
function checkOrigin(request: FastifyRequest, publicUrl: string | undefined) {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const { origin, host } = request.headers
  const own = publicUrl ? new URL(publicUrl).origin : `http://${host}`
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Failure(403, 'Forbidden')
  if (origin !== undefined && origin !== own) throw new Failure(403, 'Forbidden')
}

/** A body must arrive within 30 s; one that is streamed to disk, without a pause of 30 s. */
function boundBody({ raw, routeOptions }: FastifyRequest, idleMs = ANSWER_TIMEOUT_MS) {
  const stop = () => raw.destroy()
  if (routeOptions.config.isStream) {
    raw.setTimeout(BODY_TIMEOUT_MS, stop)
    // a request that is cut off has no socket any more when it closes
    const { socket } = raw
    raw.once('close', () => socket.setTimeout(idleMs))
    return
  }
  const timer = setTimeout(stop, BODY_TIMEOUT_MS)
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
}

// --- errors become HTTP here and nowhere else

function answerFailure(
  error: Error & { statusCode?: number; status?: number },
  reply: FastifyReply,
  request?: FastifyRequest,
  busyPage?: ServeOptions['busyPage'],
) {
  const failure = asFailure(error)
  if (failure.status >= 500 && failure.status !== 503) {
    log.error('a request failed', { error, method: request?.method, path: request?.url.split('?')[0] })
  }
  if (failure.retryAfter) reply.header('retry-after', String(failure.retryAfter))
  const isOpened = request?.method === 'GET' && request.headers.accept?.includes('text/html')
  const page = isOpened && isDatabaseAway(error) ? busyPage?.(request.url.split('?')[0]!) : null
  if (page) return sendAnswer(reply, page)
  const body = { message: failure.message, ...(failure.code && { code: failure.code }), ...failure.details }
  return reply.code(failure.status).headers(JSON_HEADERS).header('cache-control', PERSONAL).send(JSON.stringify(body))
}

const HTTP_TEXTS: Record<number, string> = {
  400: 'Bad request',
  404: 'Not found',
  413: 'The body is too large.',
  415: 'This content type is not accepted.',
}

function asFailure(error: Error & { statusCode?: number }): Failure {
  if (error instanceof Failure) return error
  if (isDatabaseAway(error))
    return new Failure(503, 'The shop is busy. Please try again in a moment.', 'unavailable', { retryAfter: 2 })
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return new Failure(status, HTTP_TEXTS[status] ?? 'Bad request')
  return new Failure(500, 'Something went wrong on our side.')
}
