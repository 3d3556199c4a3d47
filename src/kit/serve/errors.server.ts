import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { isDatabaseAway } from '../database.server.ts'
import { Failure } from '../failure.ts'
import type { Answer } from '../handle.server.ts'
import { JSON_HEADERS, PERSONAL } from './headers.server.ts'
import { log } from '../log/log.server.ts'
import type { ServeOptions } from './options.server.ts'
import { firstOf } from '../values/required.ts'

export function sendAnswer(reply: FastifyReply, { status, headers = {}, body }: Answer) {
  reply.code(status).header('x-content-type-options', 'nosniff').headers(headers)
  if (body !== undefined) return reply.send(body)
  // for HEAD: without a body, Fastify would set content-length to 0
  return headers['content-length'] ? reply.send(Readable.from([])) : reply.send()
}

/** Returns the path of a URL for the log, without the query and without the token of a gift link. */
export const loggedPath = (url: string) => firstOf(url.split('?')).replace(/^\/gift\/.*/, '/gift/…')

let warnedAt = 0
/** Logs at most once a second, because an outage fails all requests. */
function warnOfDatabase(error: Error) {
  if (Date.now() - warnedAt < 1000) return
  warnedAt = Date.now()
  log.warn('the database is away or busy', { error })
}

export function answerFailure(
  error: Error & { statusCode?: number; status?: number },
  reply: FastifyReply,
  request?: FastifyRequest,
  busyPage?: ServeOptions['busyPage'],
) {
  const failure = asFailure(error)
  if (failure.status >= 500 && failure.status !== 503) {
    log.error('a request failed', { error, method: request?.method, path: request && loggedPath(request.url) })
  }
  if (isDatabaseAway(error)) warnOfDatabase(error)
  if (failure.retryAfter) reply.header('retry-after', String(failure.retryAfter))
  const isOpened = request?.method === 'GET' && request.headers.accept?.includes('text/html')
  const page = isOpened && isDatabaseAway(error) ? busyPage?.(firstOf(request.url.split('?'))) : null
  if (page) return sendAnswer(reply, page)
  const body = { message: failure.message, ...(failure.code && { code: failure.code }), ...failure.details }
  return reply.code(failure.status).headers(JSON_HEADERS).header('cache-control', PERSONAL).send(JSON.stringify(body))
}

/** Rejects bytes that are not HTTP. Closes an unused connection silently, because browsers open spare connections. */
export function refuseBroken(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || socket.bytesRead === 0) return socket.destroy()
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  // the client may never close its side
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
  setTimeout(() => socket.destroy(), 1000).unref()
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
    return new Failure(503, 'The store is busy. Please try again in a moment.', 'unavailable', { retryAfter: 2 })
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) return new Failure(status, HTTP_TEXTS[status] ?? 'Bad request')
  return new Failure(500, 'Something went wrong on our side.')
}
