// Serves routes over HTTP. Only this folder imports the HTTP library.
import { withShownEmails } from '../mail/shownEmail.server.ts'
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Readable } from 'node:stream'
import { checkValue, parseJson } from './body.server.ts'
import { type Bytes, pack } from './cache.server.ts'
import type { Endpoint } from '../contract.ts'
import { Failure } from '../failure.ts'
import {
  type CachedRoute,
  type Caller,
  type CallRoute,
  isJsonText,
  lineOf,
  type Page,
  type RawRoute,
} from '../handle.server.ts'
import { JSON_HEADERS, PERSONAL } from './headers.server.ts'
import { MEMBER_HEADER } from '../memberHeader.ts'
import {
  ANSWER_TIMEOUT_MS,
  boundBody,
  callerOf,
  checkHost,
  checkOrigin,
  demandProof,
  identifyFor,
  isFromHere,
  refuseOtherAccount,
  refuseView,
  spend,
  spendHere,
} from './checks.server.ts'
import type { ServeOptions } from './options.server.ts'
import { answerFailure, refuseBroken, sendAnswer } from './errors.server.ts'
import { limitPerNetwork } from './connections.server.ts'
import { followRequests, requestIdOf } from './follow.server.ts'
import { keyOf, readInput } from './input.server.ts'
import { serveSockets } from './sockets.server.ts'
import { type Matcher, matcherOf } from './matcher.server.ts'
import { firstOf } from '../values/required.ts'

const JSON_BODY_LIMIT = 64 * 1024
const MAX_CONNECTIONS = 4_000
const MAX_PER_NETWORK = 400
const DRAIN_MS = 20_000
const IDLE_CHECK_MS = 250
const HEADERS_MS = 10_000
const MAX_QUERY_LENGTH = 2048

declare module 'fastify' {
  interface FastifyContextConfig {
    isStream?: boolean
    isServerCall?: boolean
  }
}

export type Close = (options?: { withinMs?: number }) => Promise<void>
export type Server = { url: string; port: number; close: Close }

/**
 * Starts the server. `close` stops accepting connections, drains running requests, and cuts those that still run after
 * `withinMs` (20 s). A connection closes after its running request.
 */
export async function serve(options: ServeOptions): Promise<Server> {
  const headersMs = options.headersMs ?? HEADERS_MS
  const app = fastify({
    // trusts one hop: the proxy in front of the shop, which overwrites the header
    trustProxy: options.isProxyTrusted ? (_address, hop) => hop < 1 : false,
    forceCloseConnections: 'idle',
    // longer than proxies reuse an idle connection (60 s), so that none closes while a request arrives
    keepAliveTimeout: 65_000,
    requestTimeout: 0,
    // closes connections of clients that do not read the response or do not send the body
    connectionTimeout: options.idleMs ?? ANSWER_TIMEOUT_MS,
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], options.isProxyTrusted),
    routerOptions: { maxParamLength: 300 },
    // a stopping node still serves requests on open connections of a proxy, with `connection: close`
    return503OnClosing: false,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 2, maxHeaderSize: 16 * 1024 },
    clientErrorHandler: refuseBroken,
    frameworkErrors: (error, _request, reply) => answerFailure(error, reply),
  })
  app.server.maxConnections = options.mostConnections ?? MAX_CONNECTIONS
  if (!options.isProxyTrusted) limitPerNetwork(app.server, options.mostPerNetwork ?? MAX_PER_NETWORK)
  app.setErrorHandler((error: FastifyError, request, reply) => answerFailure(error, reply, request, options.busyPage))
  followRequests(app, options)
  let isClosing = false
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
  if (options.door) {
    const endSockets = serveSockets(app.server, options.door, options)
    app.addHook('preClose', async () => endSockets())
  }
  const isTls = options.publicUrl?.startsWith('https:')
  app.addHook('onRequest', async (request, reply) => {
    if (isTls && options.strictTransport) reply.header('strict-transport-security', options.strictTransport)
    checkHost(request, options.publicUrl)
    if (request.method !== 'GET' && request.method !== 'HEAD') boundBody(request, options.idleMs)
  })

  const { afterWrite } = options
  if (afterWrite)
    app.addHook('onSend', async ({ method, routeOptions }, reply) => {
      if (method === 'GET' || method === 'HEAD' || routeOptions.config.isServerCall) return
      const cookie = await afterWrite(reply.statusCode)
      if (cookie === null) return
      const given = [reply.getHeader('set-cookie') ?? []].flat() as string[]
      reply.removeHeader('set-cookie').header('set-cookie', [...given, cookie])
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
    isClosing = true
    const cut = setTimeout(() => app.server.closeAllConnections(), withinMs)
    // a response whose headers were sent before the stop leaves an idle connection
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
    await app.close().finally(() => {
      clearTimeout(cut)
      clearInterval(idle)
    })
  }
  return { port, url: options.publicUrl ?? `http://localhost:${port}`, close }
}

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
    bodyLimit: route.bodyLimit ?? JSON_BODY_LIMIT,
    handler: async (request, reply) => {
      checkOrigin(request, options.publicUrl)
      const user = await identifyFor(endpoint, request, options)
      if (user && !user.view && endpoint.access !== 'public') reply.header(MEMBER_HEADER, user.id)
      const caller = callerOf(request, user, options)
      await demandProof(endpoint, caller, options)
      await spend(endpoint.line, route.limits, caller, options)
      const input = readInput(endpoint, request)
      return sendJson(reply, endpoint, await route.run(input as never, caller as never))
    },
  })
}

async function answerCached(route: CachedRoute, request: FastifyRequest, reply: FastifyReply, options: ServeOptions) {
  // cached reads use local limits only, which run no SQL
  spendHere(route.endpoint.line, route.limits, { user: null, ip: request.ip }, options)
  if (request.url.length - request.url.indexOf('?') > MAX_QUERY_LENGTH && request.url.includes('?'))
    throw new Failure(400, 'The query is too long.')
  const key = options.cache.keyOf(request.url, () => keyOf(route.endpoint, readInput(route.endpoint, request)))
  let bytes: Bytes | Promise<Bytes | null> | null = options.cache.get(key, route.channels, async () =>
    route.load(readInput(route.endpoint, request) as never, options.database),
  )
  if (bytes instanceof Promise) bytes = await bytes
  if (bytes) return sendBytes(request, reply, bytes, 'public, no-cache')
  if (!route.otherwise) throw new Failure(404, 'Not found')
  const user = await options.identify(request.headers.cookie)
  refuseOtherAccount(user, request)
  refuseView(user, route.endpoint.line, options)
  const input = readInput(route.endpoint, request)
  return sendJson(reply, route.endpoint, await route.otherwise(input as never, callerOf(request, user, options)))
}

function sendJson(reply: FastifyReply, endpoint: Endpoint, result: unknown) {
  reply.headers(JSON_HEADERS).header('cache-control', PERSONAL).code(endpoint.status)
  if (isJsonText(result)) {
    if (result.headers) reply.headers(result.headers)
    return reply.send(withShownEmails(result.json))
  }
  return reply.send(withShownEmails(JSON.stringify(endpoint.reply.parse(result))))
}

function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Bytes, cacheControl: string) {
  reply.headers(JSON_HEADERS).headers(bytes.headers)
  reply.header('cache-control', cacheControl).header('etag', bytes.etag).header('vary', 'Accept-Encoding')
  if (request.headers['if-none-match'] === bytes.etag) return reply.code(304).send()
  const { body, encoding } = pack(bytes, request.headers['accept-encoding'] ?? '')
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(body)
}

function addRaw(scope: FastifyInstance, route: RawRoute, options: ServeOptions) {
  const [method, url] = route.line.split(' ') as [string, string]
  scope.route({
    method,
    url,
    bodyLimit: Math.max(route.bodyLimit, 1),
    config: { isStream: route.body === 'stream', isServerCall: !route.isFromBrowser },
    handler: async (request, reply) => {
      if (route.isFromBrowser) checkOrigin(request, options.publicUrl)
      const user = route.knowsCaller ? await identifyFor(route, request, options) : null
      const caller = callerOf(request, user, options)
      await demandProof(route, caller, options)
      await spend(route.line, route.limits, caller, options)
      return sendAnswer(reply, await route.run(await pageOf(request, reply, caller, route)))
    },
  })
}

async function pageOf(request: FastifyRequest, reply: FastifyReply, caller: Caller<'public'>, route?: RawRoute) {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const params = (request.params ?? {}) as Record<string, string>
  checkValue(params)
  return {
    ...caller,
    isFromHere: isFromHere(request),
    method: request.method,
    url: request.url,
    params,
    query: new URLSearchParams(request.url.split('?')[1] ?? ''),
    body: route?.body === 'bytes' ? await readBytes(request.raw, route.bodyLimit) : Buffer.alloc(0),
    stream: request.raw,
    signal: gone.signal,
  } satisfies Page
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

async function answerUnknown(request: FastifyRequest, reply: FastifyReply, options: ServeOptions, known: Matcher[]) {
  const path = firstOf(request.url.split('?'))
  const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (allowed.length > 0 && !allowed.includes(request.method)) {
    reply.header('allow', [...new Set(allowed)].join(', '))
    throw new Failure(405, 'Method not allowed')
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new Failure(404, 'Not found')
  const user = await options.identify(request.headers.cookie)
  const page = await pageOf(request, reply, callerOf(request, user, options))
  return sendAnswer(reply, await options.fallback(page))
}
