import { AwsClient } from 'aws4fetch'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { noRoom } from '../storing.server.ts'
import type { S3Settings } from '../uploads.settings.server.ts'
import { readText } from './xml.rules.ts'

// Sends signed requests to a bucket and converts its errors to Failures.

const TRIES = 4
const FIRST_PAUSE_MS = 100
const TIMEOUT_MS = 60_000

export type Query = Record<string, string>
type Request = {
  key?: string
  query?: Query
  headers?: Record<string, string>
  body?: Buffer | string
  /** Hexadecimal. The store compares it with the body. */
  sha256?: string
  signal?: AbortSignal
}
export type S3 = ReturnType<typeof openS3>

export function openS3(settings: S3Settings) {
  const { key: accessKeyId, secret: secretAccessKey, region } = settings
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const base = bucketUrl(settings)

  const urlOf = (key = '', query: Query = {}) => {
    const url = new URL(key === '' ? base : `${base}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  /** Sends a request and retries temporary errors. Throws a Failure for every error. */
  async function send(method: string, { key, query, headers = {}, body, sha256, signal }: Request = {}) {
    const url = urlOf(key, query)
    for (let attempt = 1; ; attempt++) {
      const request = await aws.sign(url.href, {
        method,
        headers: { ...headers, ...(sha256 && { 'x-amz-content-sha256': sha256 }) },
        ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
      })
      // unsigned, because fetch extends this header
      request.headers.set('accept-encoding', 'identity')
      const answer = await fetch(request, { signal: signal ?? AbortSignal.timeout(TIMEOUT_MS) }).catch(
        (error: unknown) => error as Error,
      )
      if (answer instanceof Response && answer.ok) return answer
      const isPassing =
        answer instanceof Error ||
        (answer.status >= 500 && ![501, 507].includes(answer.status)) ||
        answer.status === 429
      if (isPassing && attempt < TRIES && !signal?.aborted) {
        if (answer instanceof Response) await answer.body?.cancel()
        await pause(FIRST_PAUSE_MS * 2 ** attempt)
        continue
      }
      throw await asFailure(answer, `${method} ${url.pathname}`)
    }
  }

  async function presign(
    method: string,
    key: string,
    { query = {}, headers = {}, seconds }: { query?: Query; headers?: Record<string, string>; seconds: number },
  ) {
    const url = urlOf(key, { ...query, 'X-Amz-Expires': String(seconds) })
    const signed = await aws.sign(url.href, { method, headers, aws: { signQuery: true, allHeaders: true } })
    return signed.url
  }

  return { base, origin: new URL(base).origin, send, presign }
}

function bucketUrl({ endpoint, bucket, isPathStyle }: S3Settings): string {
  const { protocol, host, pathname } = new URL(endpoint)
  const path = pathname.replace(/\/$/, '')
  return isPathStyle ? `${protocol}//${host}${path}/${bucket}` : `${protocol}//${bucket}.${host}${path}`
}

export const NOT_THERE = 'NotImplemented'

/** Errors caused by the sender of the bytes, who gets their messages. */
const BY_CLIENT: Record<string, number> = {
  NoSuchUpload: 404,
  NoSuchKey: 404,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  EntityTooSmall: 400,
  BadDigest: 400,
  InvalidDigest: 400,
  XAmzContentSHA256Mismatch: 400,
  MalformedXML: 400,
  InvalidArgument: 400,
  InvalidRange: 416,
  PreconditionFailed: 412,
}
const NO_ROOM = [
  'EntityTooLarge',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
  'ServiceQuotaExceededException',
]

async function asFailure(answer: Response | Error, request: string): Promise<Failure> {
  if (answer instanceof Error) return storeDown(request, answer.message)
  return failureOf(await answer.text().catch(() => ''), answer.status, request)
}

/** Converts an `<Error>` document to a Failure. After a long wait, it can have status 200. */
export function failureOf(xml: string, status: number, request: string): Failure {
  const code = readText(xml, 'Code') ?? codeOfStatus(status)
  const known = BY_CLIENT[code]
  if (known) return new Failure(known, readText(xml, 'Message') ?? code, code)
  if (status === 501 || code === 'NotImplemented')
    return new Failure(501, `${request} is not implemented there`, NOT_THERE)
  if (status === 507 || NO_ROOM.includes(code)) {
    log.error('the object store has no room', { request, code })
    return noRoom()
  }
  return storeDown(request, `${status} ${code} ${readText(xml, 'Message') ?? ''}`)
}

const codeOfStatus = (status: number) =>
  ({ 404: 'NoSuchKey', 412: 'PreconditionFailed', 416: 'InvalidRange' })[status] ?? ''

export function storeDown(request: string, reason: string) {
  log.error('the object store refused', { request, reason })
  return new Failure(503, 'Files cannot be reached at the moment. Please try again later.', 'store_down', {
    retryAfter: 10,
  })
}
