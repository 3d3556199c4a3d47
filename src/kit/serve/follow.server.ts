import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { runAs } from '../log/current.server.ts'
import type { ServeOptions } from './options.server.ts'
import { isDebugging, log } from '../log/log.server.ts'
import { endSpan, startSpan } from '../log/trace.server.ts'

const SLOW_MS = 1_000

/** Returns the request id of a trusted proxy if it is safe to log, otherwise a new id. */
export function requestIdOf(given: string | string[] | undefined, isProxyTrusted: boolean): string {
  return isProxyTrusted && typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

/** Adds the request id to log lines and to the response, and reports each request to `observe`. */
export function followRequests(
  app: FastifyInstance,
  { observe, isProxyTrusted }: Pick<ServeOptions, 'observe' | 'isProxyTrusted'>,
) {
  const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? '*'
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // only a trusted proxy may choose the trace of a request and whether it is sampled
    const parent = isProxyTrusted ? String(request.headers.traceparent) : undefined
    const span = startSpan(`${request.method} ${routeOf(request)}`, { 'http.request.method': request.method }, parent)
    if (span) reply.raw.once('close', () => endSpan(span.setAttribute('http.response.status_code', reply.statusCode)))
    runAs({ requestId: request.id, ...(span && { span }) }, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const { elapsedTime, statusCode: status } = reply
    observe?.({ method, route: routeOf(request), status, seconds: elapsedTime / 1000 })
    // an event stream is open as long as its reader, so it is never slow
    const isSlow = elapsedTime > SLOW_MS && !reply.getHeader('content-type')?.toString().startsWith('text/event-stream')
    if (isSlow || isDebugging()) {
      const line = { requestId: request.id, method, route: routeOf(request), status, ms: Math.round(elapsedTime) }
      log[isSlow ? 'info' : 'debug'](isSlow ? 'a slow answer' : 'an answer', line)
    }
    done()
  })
}
