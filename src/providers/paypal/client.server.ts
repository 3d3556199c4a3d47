import { inSpan } from '../../kit/log/trace.server.ts'
import { Unanswered, UnderWay } from '../../payments/outcome.ts'
import { Refused } from './outcome.server.ts'
import { read, readIssue, Token } from './wire.server.ts'
import { firstOf } from '../../kit/values/required.ts'

const TIMEOUT_MS = 8_000
/** For a request with files of up to 4.5 MB. */
const UPLOAD_TIMEOUT_MS = 60_000
const TOKEN_MARGIN_MS = 60_000
// PayPal sends RESOURCE_CONFLICT for a 409 without a specific issue
const UNDER_WAY = new Set(['PREVIOUS_REQUEST_IN_PROGRESS', 'RESOURCE_CONFLICT'])

export type Credentials = { baseUrl: string; clientId: string; clientSecret: string }
export type Client = ReturnType<typeof createClient>

export function createClient({ baseUrl, clientId, clientSecret }: Credentials) {
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  let token: { text: string; until: number } | undefined
  let fetching: Promise<string> | undefined

  async function fetchToken(extra: Record<string, string> = {}) {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...extra })
    const answer = await exchange('POST', '/v1/oauth2/token', { authorization: basic }, body)
    return read(() => Token.parse(answer))
  }

  function bearer(): Promise<string> {
    if (token && token.until > performance.now()) return Promise.resolve(token.text)
    fetching ??= fetchToken()
      .then(({ access_token, expires_in }) => {
        token = { text: access_token, until: performance.now() + expires_in * 1000 - TOKEN_MARGIN_MS }
        return access_token
      })
      .finally(() => (fetching = undefined))
    return fetching
  }

  const exchange = (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<unknown> =>
    inSpan('paypal', { 'http.request.method': method, 'url.path': firstOf(path.split('?')) }, () =>
      ask(method, path, headers, body),
    )

  async function ask(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<unknown> {
    const isForm = body instanceof URLSearchParams
    const isParts = body instanceof FormData
    let response: Response
    let text: string
    try {
      response = await fetch(baseUrl + path, {
        method,
        headers: {
          accept: 'application/json',
          // fetch sets the boundary of multipart forms
          ...(!isParts && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : isForm || isParts ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(isParts ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS),
        redirect: 'error',
      })
      text = await response.text()
    } catch (cause) {
      throw new Unanswered(`${method} ${path}: no answer`, { cause })
    }
    const answer = read((): unknown => (text === '' ? null : JSON.parse(text)))
    if (response.status === 401) token = undefined
    // an auth error or rate limit proves nothing about the payment
    if (response.status >= 500 || [401, 403, 429].includes(response.status))
      throw new Unanswered(`${method} ${path}: ${response.status}`)
    if (response.ok) return answer
    const issue = readIssue(answer)
    if (response.status === 409 && UNDER_WAY.has(issue)) throw new UnderWay(`${method} ${path}: 409 ${issue}`)
    throw new Refused(issue, answer)
  }

  /** PayPal deduplicates requests by `requestId` and repeats the first response. */
  async function request(method: string, path: string, body?: unknown, requestId?: string): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${await bearer()}`,
      prefer: 'return=representation',
      ...(requestId && { 'paypal-request-id': requestId }),
    }
    return exchange(method, path, headers, body)
  }

  async function find<T>(path: string, parse: (body: unknown) => T, method = 'GET'): Promise<T | null> {
    try {
      const answer = await request(method, path)
      return read(() => parse(answer))
    } catch (error) {
      if (error instanceof Refused && /RESOURCE_NOT_FOUND|INVALID_RESOURCE_ID/.test(error.issue)) return null
      throw error
    }
  }

  return { baseUrl, fetchToken, request, find }
}
