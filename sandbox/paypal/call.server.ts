import { randomBytes, randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { parseJson } from '../../src/kit/serve/body.server.ts'
import type { Method } from '../../src/kit/contract.ts'
import { isDatabaseAway } from '../../src/kit/database.server.ts'
import { type Answer, handleRaw, type Page, type RawRoute } from '../../src/kit/handle.server.ts'
import { log } from '../../src/kit/log/log.server.ts'
import {
  claimRequest,
  type Client,
  type Entry,
  forgetRequest,
  inBooks,
  isPaidInvoice,
  type NewEvent,
  writeBooks,
} from './store.server.ts'
import type { FaultKind } from './contract.ts'
import type { FaultBox } from './faults.server.ts'
import type { Keys } from './keys.server.ts'
import { describeRefusal, Refusal, refusalFor } from './refusal.ts'
import { checkBearer } from './tokens.server.ts'

// One call of the provider's REST interface: faults, token, body, then the work, then the answer or the error body.

export type Sandbox = {
  pool: pg.Pool
  keys: Keys
  faults: FaultBox
  storeName: string
  /** Where the sandbox is, such as http://localhost:3000/sandbox/paypal. */
  base: string
  /** There may be webhooks to deliver. */
  wakeDeliveries: () => void
}

export type Call = {
  params: Record<string, string>
  query: URLSearchParams
  header: (name: string) => string | undefined
  body: unknown
  /** The body as it came. */
  raw: string
  /** Whether the caller asked for the whole thing (`Prefer: return=representation`). */
  isFull: boolean
  fault: FaultKind | null
  debugId: string
}

/** What a call answers, and what it writes; `status` 300 and above may write too (a decline is an event). */
export type Outcome = { status: number; body: object | null; entries?: Entry[]; events?: NewEvent[] }

type Work = (call: Call) => Promise<{ status: number; text: string }>
type Options = { about: string; faults?: FaultKind[] }

const textOf = ({ body }: Outcome) => (body === null ? '' : JSON.stringify(body))

/** A call that only reads. */
export function sandboxRead(
  sandbox: Sandbox,
  line: `${Method} /${string}`,
  { about, faults }: Options,
  run: (call: Call) => Promise<Outcome>,
): RawRoute {
  return bind(sandbox, line, { about, ...(faults && { faults }) }, async (call) => {
    const outcome = await run(call)
    return { status: outcome.status, text: textOf(outcome) }
  })
}

/** A call that writes: in one transaction, and once only for a PayPal-Request-Id; a repeat gets the first answer. */
export function sandboxWrite(
  sandbox: Sandbox,
  line: `${Method} /${string}`,
  options: Options,
  run: (call: Call, client: Client) => Promise<Outcome>,
): RawRoute {
  const faults: FaultKind[] = [...(options.faults ?? []), 'under_way']
  return bind(sandbox, line, { ...options, faults }, async (call) => {
    const requestId = call.header('paypal-request-id')
    // as it answers the repeat of a call that it is not done with
    if (requestId && call.fault === 'under_way') throw refusalFor('PREVIOUS_REQUEST_IN_PROGRESS')
    const path = fillLine(line, call.params)
    const answer = await inBooks(sandbox.pool, async (client) => {
      const earlier = requestId ? await claimRequest(client, requestId, path) : null
      if (earlier !== null) return { status: 200, text: earlier }
      const outcome = await run(call, client)
      const text = textOf(outcome)
      const { status, entries = [], events = [] } = outcome
      await writeBooks(client, entries, events, requestId ? { requestId, path, status, body: text } : null)
      if (requestId && status >= 300) await forgetRequest(client, requestId, path)
      return { status, text }
    })
    sandbox.wakeDeliveries()
    return answer
  })
}

const fillLine = (line: string, params: Record<string, string>) =>
  line.split(' ')[1]!.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')

const COMMON_FAULTS: FaultKind[] = ['error', 'lost', 'hang']

function bind(sandbox: Sandbox, line: `${Method} /${string}`, { about, faults = [] }: Options, work: Work): RawRoute {
  const hasBody = line.startsWith('POST')
  return handleRaw(
    line,
    { access: 'public', about, body: hasBody ? 'bytes' : 'none', bodyLimit: 256 * 1024, isFromBrowser: false },
    async (page) => {
      const fault = sandbox.faults.roll(...COMMON_FAULTS, ...faults)
      const answer = await answerCall(sandbox, page, hasBody, fault, work)
      if (fault === 'hang') await pause(sandbox.faults.latencyMs(), null, { signal: page.signal }).catch(() => null)
      if (fault === 'lost') dropConnection(page)
      return answer
    },
  )
}

export function dropConnection({ stream }: Page) {
  // a request that was read to its end no longer closes its connection by itself
  ;(stream as IncomingMessage).socket.destroy()
}

async function answerCall(
  sandbox: Sandbox,
  page: Page,
  hasBody: boolean,
  fault: FaultKind | null,
  work: Work,
): Promise<Answer> {
  const debugId = randomBytes(7).toString('hex').slice(1)
  try {
    if (fault === 'error') throw new Refusal(randomInt(2) ? 500 : 503)
    checkBearer(sandbox.keys, page.header('authorization'))
    checkMock(page.header('paypal-mock-response'))
    checkRequestId(page.header('paypal-request-id'))
    checkQuery(page.query)
    const { status, text } = await work({
      params: page.params,
      query: page.query,
      header: page.header,
      body: hasBody ? readBody(page) : undefined,
      raw: page.body.toString('utf8'),
      isFull: /\breturn=representation\b/.test(page.header('prefer') ?? ''),
      fault,
      debugId,
    })
    return answerText(status, text, debugId)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.status === 500 && fault !== 'error') log.error('the payment sandbox failed', { error, path: page.url })
    return answerText(refusal.status, JSON.stringify(describeRefusal(refusal, debugId)), debugId)
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isPaidInvoice(error)) return refusalFor('DUPLICATE_INVOICE_ID', { field: '/purchase_units/0/invoice_id' })
  return new Refusal(isDatabaseAway(error) ? 503 : 500)
}

const answerText = (status: number, text: string, debugId: string): Answer => ({
  status,
  headers: {
    'paypal-debug-id': debugId,
    'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
    ...(text !== '' && { 'content-type': 'application/json' }),
    ...(status === 429 && { 'retry-after': '1' }),
  },
  body: text,
})

function readBody({ body, header }: Page): unknown {
  if (body.length === 0) return {}
  if (!/^application\/json\b/.test(header('content-type') ?? '')) throw new Refusal(415)
  let value: unknown
  try {
    value = parseJson(body)
  } catch {
    throw refusalFor('MALFORMED_REQUEST_JSON', { location: 'body' })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusalFor('MALFORMED_REQUEST_JSON', { location: 'body' })
  }
  return value
}

const LONGEST_REQUEST_ID = 108

function checkRequestId(id: string | undefined) {
  if (id === undefined || (id.length > 0 && id.length <= LONGEST_REQUEST_ID)) return
  throw refusalFor('INVALID_STRING_LENGTH', { field: 'PayPal-Request-Id', location: 'header' })
}

function checkQuery(query: URLSearchParams) {
  for (const [field, value] of query) {
    if (`${field}${value}`.includes('\0')) throw refusalFor('INVALID_PARAMETER_SYNTAX', { field })
  }
}

const MOCK = /^\s*\{\s*"mock_application_codes"\s*:\s*"([A-Z_]{3,60})"\s*\}\s*$/

/** Negative testing as the provider's own sandbox has it: the named issue is answered and nothing happens. */
function checkMock(header: string | undefined) {
  if (header === undefined) return
  const issue = MOCK.exec(header)?.[1]
  if (issue) throw refusalFor(issue)
  throw refusalFor('INVALID_PARAMETER_SYNTAX', { field: 'PayPal-Mock-Response', location: 'header' })
}
