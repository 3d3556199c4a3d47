import { type Endpoint, fillPath, type Input, type Reply } from './contract.ts'
import { Failure } from './failure.ts'

/** A person has just used the page that sends this request. */
export const ACTIVE_HEADER = 'x-active'

/** The account that the page of this request shows. */
export const ACCOUNT_HEADER = 'x-account'
/** The code of the refusal when another account is signed in. */
export const OTHER_ACCOUNT = 'other_account'

export type CallOptions = {
  base?: string
  fetch?: typeof fetch
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Checks the reply against the contract. For tests: the browser trusts its own server and skips the check. */
  checkReply?: boolean
}

/** Sends one call. Throws a Failure for an error status, with a message such as '401: {"message":"Unauthorized"}'. */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { base = '', fetch: via = fetch, headers = {}, signal, checkReply = false }: CallOptions = {},
): Promise<Reply<E>> {
  const { method, path, rest } = fillPath(endpoint.line, input as Record<string, unknown>)
  const isRead = method === 'GET'
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query =
    isRead && given.length > 0
      ? `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
      : ''
  const body = !isRead && given.length > 0 ? JSON.stringify(rest) : undefined
  const response = await via(base + path + query, {
    method,
    credentials: 'include',
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
  const reply = await readReply(response)
  return (checkReply ? endpoint.reply.parse(reply) : reply) as Reply<E>
}

/** Returns the parsed body, or null if it is empty. Throws a Failure for an error status. */
export async function readReply(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw refusal(response, text)
  return text === '' ? null : JSON.parse(text)
}

let noteRefusal = (_code: string | undefined) => {}

/** Runs with the code of each refused call. */
export function whenRefused(run: typeof noteRefusal) {
  noteRefusal = run
}

function refusal(response: { status: number; statusText: string; headers: Headers }, text: string): Failure {
  let known: { code?: string } & Record<string, unknown> = {}
  try {
    known = JSON.parse(text) as typeof known
  } catch {}
  noteRefusal(known.code)
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  return new Failure(response.status, `${response.status}: ${text || response.statusText}`, known.code, {
    details: known,
    ...(retryAfter && { retryAfter }),
  })
}
