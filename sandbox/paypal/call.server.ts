import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Method } from '../../src/kit/contract.ts'
import { isDatabaseAway } from '../../src/kit/database.server.ts'
import { type Answer, handleRaw, type PageOf, type ParamName, type RawRoute } from '../../src/kit/handle.server.ts'
import { log } from '../../src/kit/log/log.server.ts'
import { required } from '../../src/kit/values/required.ts'
import { parseJson } from '../../src/kit/serve/body.server.ts'
import type { FaultKind } from '../faults.contract.ts'
import { dropConnection, type FaultBox } from '../faults.server.ts'
import {
  type Client,
  type Entry,
  inTransaction,
  isCapturedOrder,
  isPaidInvoice,
  type NewEvent,
  type Reader,
  recallAnswer,
  writeEffects,
} from '../store.server.ts'
import type { Keys } from './keys.server.ts'
import { describeRefusal, notFound, Refusal, refusalFor } from './refusals.server.ts'
import { checkBearer } from './tokens.server.ts'

const BODY_LIMIT = 256 * 1024

export const ROOT = '/sandbox/paypal'

export type Sandbox = {
  pool: pg.Pool
  keys: Keys
  faults: FaultBox
  storeName: string
  base: string
  wakeDeliveries: () => void
}

export type Call<L extends Line = Line> = {
  params: Record<ParamName<L>, string>
  query: URLSearchParams
  requestId: string | undefined
  body: unknown
  fault: FaultKind | null
  debugId: string
}

/** A status from 300 on can have effects too: a declined payment sends an event. */
export type Outcome = { status: number; body: object | null; entries?: Entry[]; events?: NewEvent[] }

type Work<L extends Line> = (call: Call<L>) => Promise<{ status: number; text: string }>
type Line = `${Method} /${string}`

export const callsOf = (sandbox: Sandbox) => ({
  read: <L extends Line>(line: L, about: string, run: (call: Call<L>) => Promise<object | null>) =>
    bind(sandbox, line, about, [], BODY_LIMIT, async (call) => {
      const body = await run(call)
      if (!body) throw notFound()
      return { status: 200, text: JSON.stringify(body) }
    }),

  /**
   * A call with effects, idempotent by PayPal-Request-Id: a repeat gets the first answer. `run` locks the rows that it
   * changes. One statement writes all effects, or nothing for a repeat. A call without locks needs no transaction.
   */
  write: <L extends Line, Locks extends boolean>(
    line: L,
    about: string,
    { faults = [], locks, bodyLimit = BODY_LIMIT }: { faults?: FaultKind[]; locks: Locks; bodyLimit?: number },
    run: (call: Call<L>, client: Locks extends true ? Client : Reader) => Promise<Outcome>,
  ) =>
    bind(sandbox, line, about, [...faults, 'under_way'], bodyLimit, async (call) => {
      const { requestId } = call
      if (requestId && call.fault === 'under_way') throw refusalFor('PREVIOUS_REQUEST_IN_PROGRESS')
      const values = new Map(Object.entries<string>(call.params).map(([name, value]) => [`:${name}`, value]))
      const path = ROOT + line.slice(line.indexOf('/')).replace(/:(\w+)/g, (name) => values.get(name) ?? name)
      const work = async (client: Reader) => {
        try {
          const { status, body, entries = [], events = [] } = await run(call, client as Client)
          const text = body === null ? '' : JSON.stringify(body)
          // After a decline, the same request id starts a new attempt.
          const answer = requestId && status < 300 ? { requestId, path, status, body: text } : undefined
          if (await writeEffects(client, entries, events, answer)) return { status, text }
        } catch (error) {
          if (!(error instanceof Refusal) || !requestId) throw error
          const earlier = await recallAnswer(client, requestId, path)
          if (earlier === undefined) throw error
          return { status: 200, text: earlier }
        }
        return {
          status: 200,
          text: required(await recallAnswer(client, required(requestId, 'the request id'), path), 'the answer'),
        }
      }
      const answer = await (locks ? inTransaction(sandbox.pool, work) : work(sandbox.pool))
      sandbox.wakeDeliveries()
      return answer
    }),
})

function bind<L extends Line>(
  sandbox: Sandbox,
  line: L,
  about: string,
  faults: FaultKind[],
  bodyLimit: number,
  work: Work<L>,
): RawRoute {
  const body = line.startsWith('POST') ? 'bytes' : 'none'
  return handleRaw(
    line.replace(' ', ` ${ROOT}`) as L,
    { access: 'public', about, body, bodyLimit, isFromBrowser: false },
    async (page) => {
      const fault = sandbox.faults.roll('error', 'lost', 'hang', ...faults)
      const answer = await answerCall(sandbox, page, fault, work)
      if (fault === 'hang') await pause(sandbox.faults.latencyMs(), null, { signal: page.signal }).catch(() => null)
      if (fault === 'lost') dropConnection(page)
      return answer
    },
  )
}

async function answerCall<L extends Line>(
  sandbox: Sandbox,
  page: PageOf<L, 'public'>,
  fault: FaultKind | null,
  work: Work<L>,
): Promise<Answer> {
  const debugId = randomBytes(7).toString('hex').slice(1)
  try {
    if (fault === 'error') throw new Refusal(randomInt(2) ? 500 : 503)
    checkBearer(sandbox.keys, page.header('authorization'))
    const { params, query, body } = page
    const requestId = page.header('paypal-request-id')
    // PostgreSQL stores no NUL characters and limits the length of indexed texts.
    if (page.url.includes('%00')) throw notFound()
    if (requestId && requestId.length > 108)
      throw refusalFor('INVALID_PARAMETER_SYNTAX', { field: 'PayPal-Request-Id', location: 'header' })
    const { status, text } = await work({
      params,
      query,
      requestId,
      body: await readBody(body, page.header('content-type')),
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
  if (isCapturedOrder(error)) return refusalFor('ORDER_ALREADY_CAPTURED')
  if (isPaidInvoice(error)) return refusalFor('DUPLICATE_INVOICE_ID', { field: '/purchase_units/0/invoice_id' })
  return new Refusal(isDatabaseAway(error) ? 503 : 500)
}

const answerText = (status: number, body: string, debugId: string): Answer => ({
  status,
  headers: {
    'paypal-debug-id': debugId,
    'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
    ...(body !== '' && { 'content-type': 'application/json' }),
  },
  body,
})

/** Parses JSON, or the JSON in the part `input` of a form. `files` has the part, name, type and size of each file. */
async function readBody(body: Buffer, type = ''): Promise<unknown> {
  if (body.length === 0) return {}
  try {
    if (!type.startsWith('multipart/form-data')) return parseJson(body)
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const input = form.get('input')
    const json = parseJson(Buffer.from(input instanceof File ? await input.text() : required(input, 'the part input')))
    const files = [...form].flatMap(([part, value]) =>
      value instanceof File && part !== 'input' ? [{ part, name: value.name, type: value.type, size: value.size }] : [],
    )
    return { ...(json as object), files }
  } catch {
    throw refusalFor('MALFORMED_REQUEST_JSON', { location: 'body' })
  }
}
