import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Method } from '../../src/kit/contract.ts'
import { isDatabaseAway } from '../../src/kit/database.server.ts'
import { type Answer, handleRaw, type PageOf, type ParamName, type RawRoute } from '../../src/kit/handle.server.ts'
import { log } from '../../src/kit/log/log.server.ts'
import { isSameSecret } from '../../src/kit/secret.server.ts'
import type { FaultKind } from '../faults.contract.ts'
import { dropConnection, type FaultBox } from '../faults.server.ts'
import { type Client, type Entry, inTransaction, type NewEvent, readEntry, writeEffects } from '../store.server.ts'
import { Expand, readBrackets, readForm, readPost } from './form.server.ts'
import type { Keys } from './keys.server.ts'
import { describeRefusal, notFound, Refusal } from './refusal.server.ts'
import { kindOf } from './wire.server.ts'

export const ROOT = '/sandbox/stripe'
const KEY_HOURS = 24
const BODY_LIMIT = 256 * 1024

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
  form: unknown
  fault: FaultKind | null
}
/** A status from 400 on can have effects too: a declined charge stores its intent. */
export type Outcome = { status?: number; body: object; entries?: Entry[]; events?: NewEvent[] }

type Line = `${Method} /${string}`
type Work<L extends Line> = (call: Call<L>, expand: string[], key: string | undefined) => Promise<Text>
type Text = { status: number; text: string; isReplay?: boolean }

export const callsOf = (sandbox: Sandbox) => ({
  read: <L extends Line>(line: L, about: string, run: (call: Call<L>) => Promise<object>) =>
    bind(sandbox, line, about, BODY_LIMIT, async (call, expand) => ({
      status: 200,
      text: await show(sandbox.pool, await run(call), expand),
    })),

  /** A call with effects, idempotent by its key: a repeat gets the first answer, even a decline. */
  write: <L extends Line>(
    line: L,
    about: string,
    run: (call: Call<L>, client: Client) => Promise<Outcome>,
    bodyLimit = BODY_LIMIT,
  ) =>
    bind(sandbox, line, about, bodyLimit, async (call, expand, key) => {
      if (key && call.fault === 'under_way')
        throw new Refusal(409, {
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this key.',
        })
      const answer = await inTransaction(sandbox.pool, async (client): Promise<Text> => {
        const asked = createHash('sha256')
          .update(JSON.stringify([line, call.params, call.form, expand]))
          .digest('hex')
        const earlier = key && (await recall(client, key, asked))
        if (earlier) return earlier
        const { status = 200, body, entries = [], events = [] } = await run(call, client)
        await writeEffects(client, entries, events)
        const text = await show(client, body, expand)
        if (key) await remember(client, key, asked, { status, text })
        return { status, text }
      })
      sandbox.wakeDeliveries()
      return answer
    }),
})

/** Returns the stored answer for this key, or throws if the request differs. A concurrent repeat waits. */
async function recall(client: Client, key: string, asked: string): Promise<Text | undefined> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7150003))', [key])
  const { rows } = await client.query<{ status: number; body: string }>(
    `SELECT status, body FROM sandbox.replays
     WHERE request_id = $1 AND path = $2 AND created_at > clock_timestamp() - $3 * interval '1 hour'`,
    [key, ROOT, KEY_HOURS],
  )
  if (!rows[0]) return undefined
  const { status, body } = rows[0]
  if (!body.startsWith(asked))
    throw new Refusal(
      400,
      { message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.' },
      'idempotency_error',
    )
  return { status, text: body.slice(asked.length), isReplay: true }
}

const remember = (client: Client, key: string, asked: string, { status, text }: Text) =>
  client.query(
    `INSERT INTO sandbox.replays (request_id, path, status, body) VALUES ($1, $2, $3, $4)
     ON CONFLICT (request_id, path) DO UPDATE SET status = $3, body = $4, created_at = clock_timestamp()`,
    [key, ROOT, status, asked + text],
  )

function bind<L extends Line>(sandbox: Sandbox, line: L, about: string, bodyLimit: number, work: Work<L>): RawRoute {
  const isPost = line.startsWith('POST')
  return handleRaw(
    line.replace(' ', ` ${ROOT}`) as L,
    { access: 'public', about, body: isPost ? 'bytes' : 'none', bodyLimit, isFromBrowser: false },
    async (page) => {
      const fault = sandbox.faults.roll('error', 'lost', 'hang', ...(isPost ? (['under_way', 'decline'] as const) : []))
      const answer = await answerCall(sandbox, page, fault, isPost, work)
      if (fault === 'hang') await pause(sandbox.faults.latencyMs(), null, { signal: page.signal }).catch(() => null)
      if (fault === 'lost') dropConnection(page)
      return answer
    },
  )
}

async function answerCall<L extends Line>(
  { keys }: Sandbox,
  page: PageOf<L, 'public'>,
  fault: FaultKind | null,
  isPost: boolean,
  work: Work<L>,
): Promise<Answer> {
  const requestId = `req_${randomBytes(7).toString('hex')}`
  try {
    if (fault === 'error') throw new Refusal(500, { message: 'An unknown error occurred.' })
    if (!isSameSecret(page.header('authorization') ?? '', `Bearer ${keys.secretKey}`))
      throw new Refusal(401, { message: 'Invalid API Key provided.' })
    if (page.url.includes('%00')) throw new Refusal(400, { message: 'Invalid request.' })
    const key = isPost ? page.header('idempotency-key') : undefined
    if (key && key.length > 255) throw new Refusal(400, { message: 'The idempotency key is too long.' })
    const given = isPost ? await readPost(page.body, page.header('content-type')) : readBrackets(page.query)
    const { expand, ...form } = given as { expand?: unknown }
    const { status, text, isReplay } = await work({ params: page.params, form, fault }, readForm(Expand, expand), key)
    return answerText(status, text, { 'request-id': requestId, ...(isReplay && { 'idempotent-replayed': 'true' }) })
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(isDatabaseAway(error) ? 503 : 500, UNKNOWN)
    if (refusal.problem === UNKNOWN && refusal.status === 500)
      log.error('the payment sandbox failed', { error, path: page.url })
    return answerText(refusal.status, JSON.stringify(describeRefusal(refusal)), { 'request-id': requestId })
  }
}

const UNKNOWN = { message: 'An unknown error occurred.' }

const answerText = (status: number, body: string, headers: Record<string, string>): Answer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-cache, no-store' },
  body,
})

/** Serializes an object with the objects that `expand` names ('payment_intent.latest_charge'). */
async function show(on: Client | pg.Pool, body: object, expand: string[]): Promise<string> {
  const shown = strip(body)
  for (const path of expand) await expandAt(on, shown, path.split('.'))
  return JSON.stringify(shown)
}

const strip = (body: object) =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key.startsWith('_') ? undefined : value))) as Record<
    string,
    unknown
  >

async function expandAt(on: Client | pg.Pool, node: unknown, [key, ...rest]: string[]): Promise<void> {
  if (key === undefined || typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const one of node) await expandAt(on, one, [key, ...rest])
    return
  }
  const owner = node as Record<string, unknown>
  const value = owner[key]
  const kind = typeof value === 'string' && kindOf(value)
  if (kind) owner[key] = strip((await readEntry<object>(on, kind, value)) ?? { id: value, deleted: true })
  await expandAt(on, owner[key], rest)
}

export async function readOr404<T>(on: Client | pg.Pool, id: string, kind: string): Promise<T> {
  const store = kindOf(id)
  const found = store === `stripe_${kind}` ? await readEntry<T>(on, store, id) : undefined
  if (!found) throw notFound(kind, id)
  return found
}
