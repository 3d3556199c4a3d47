import * as z from 'zod/mini'
import type { AssistantConfig } from './assistant.settings.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { log } from '../kit/log/log.server.ts'
import type { SharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import { fail, type Finding, off, ok, warn } from '../monitoring/health/finding.rules.ts'
import { openGate } from '../monitoring/errors/gate.server.ts'

// The only code that calls the language model: any server at AI_URL that speaks chat completions. It never retries,
// and its answers are unverified text.

type Settings = NonNullable<AssistantConfig['ai']>

/** Shared by all nodes, so that no fault of the store can raise the cost. */
const BUDGET: Limit = { per: 'account', count: 30, seconds: 3600, isShared: true }
const MOST_AT_ONCE = 2
const MOST_BYTES = 64 * 1024
const RETRY_SECONDS = 30

export type Question = {
  task: string
  /** The material, which strangers may have written. */
  data: string
}

export type Model = {
  name: string
  /** Throws a Failure for staff: 429 if the budget is used up, 503 without an answer. */
  ask: (question: Question) => Promise<string>
}

/** `url` has no trailing slash. Each `budget` is counted alone; `noteCost` gets the microdollars of each answer. */
export function openModel(
  settings: Settings,
  limiter: Pick<SharedLimiter, 'take'>,
  { budget = 'model', noteCost }: { budget?: string; noteCost?: (microdollars: number) => Promise<unknown> } = {},
): Model {
  const spent = (sent: number, written: number) =>
    noteCost?.(Math.round(sent * settings.cost.sent + written * settings.cost.written))
  const gate = openGate('questions to the model were dropped', MOST_AT_ONCE)

  return {
    name: settings.model,
    ask: async (question) => {
      const said = await gate(async () => {
        const wait = await limiter.take(budget, BUDGET)
        if (wait <= 0) return send(settings, question, spent)
        const minutes = Math.ceil(wait / 60)
        const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
        const message = `The shop has asked the model too often this hour. Please try again in ${when}.`
        throw new Failure(429, message, 'model_budget', { retryAfter: wait })
      })
      if (said === null) throw noAnswer('The model is busy with other questions.')
      return said
    },
  }
}

const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).check(z.minLength(1)),
  usage: z.nullish(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() })),
})

type Spent = (sent: number, written: number) => Promise<unknown> | undefined

/** Sends no token limit: its name differs between servers, and some reject the other name. */
async function send(settings: Settings, { task, data }: Question, spent: Spent): Promise<string> {
  const messages = [
    { role: 'system', content: task },
    { role: 'user', content: data },
  ]
  let response: Response | undefined
  try {
    response = await call(settings, '/chat/completions', settings.patienceMs, {
      method: 'POST',
      body: JSON.stringify({ model: settings.model, messages }),
    })
    if (response.ok) {
      const { choices, usage } = Answer.parse(JSON.parse(await readBounded(response)))
      await spent(usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0)
      return choices[0]!.message.content
    }
    await response.body?.cancel()
  } catch (error) {
    if (error instanceof Failure) throw error
    // such an error quotes the answer
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError)
      throw noAnswer("The model's answer could not be read.")
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const late = `The model did not answer within ${settings.patienceMs / 1000} s.`
    throw noAnswer(isLate ? late : response ? "The model's answer broke off." : 'The model does not answer.', error)
  }
  throw noAnswer(REFUSALS[response.status] ?? `The model answered with status ${response.status}.`)
}

/** Refuses redirects, which could send the question to an address outside the configuration. */
const call = ({ url, key }: Settings, path: string, patienceMs: number, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
    headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key}` },
  })

const REFUSALS: Record<number, string> = {
  401: 'The model refuses AI_KEY.',
  403: 'The model refuses AI_KEY.',
  404: 'AI_URL or AI_MODEL is not known there.',
  429: 'The model has too much to do, or its account is used up.',
}

function noAnswer(message: string, error?: unknown): Failure {
  // the log must not contain the question or the answer
  log.warn('the model gave no answer', { why: message, ...(error !== undefined && { error }) })
  return new Failure(503, message, 'model_away', { retryAfter: RETRY_SECONDS })
}

async function readBounded({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    // leaving the loop closes the connection
    if (size > MOST_BYTES) throw noAnswer("The model's answer is too long.")
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const PING_MS = 2000
const UNTIL_THEN = 'errors have no explanations until then'

/** Lists the models, which is free, for the status pages and `shop doctor`. */
export async function checkModel(settings: Settings | undefined): Promise<Finding> {
  if (!settings)
    return off('AI', 'no model is configured; help articles and staff answer', 'set AI_URL, AI_KEY and AI_MODEL')
  const { host } = new URL(settings.url)
  try {
    const { ok: isFine, status, body } = await call(settings, '/models', PING_MS)
    await body?.cancel()
    if (isFine) return ok('AI', `${host} answers; the model is ${settings.model}`)
    if (status === 401 || status === 403) return fail('AI', `${host} refuses the key`, 'correct AI_KEY')
    if (status === 404) return warn('AI', `${host} lists no models`, 'check that AI_URL ends before /chat/completions')
    return fail('AI', `${host} answers with status ${status}`, `see its status page; ${UNTIL_THEN}`)
  } catch {
    return fail('AI', `${host} does not answer`, `check that AI_URL is reachable; ${UNTIL_THEN}`)
  }
}
