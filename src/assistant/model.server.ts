import type { AssistantConfig } from './assistant.settings.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { log } from '../kit/log/log.server.ts'
import type { SharedLimiter } from '../kit/serve/sharedLimit.server.ts'
import { fail, type Finding, off, ok, warn } from '../kit/health/finding.rules.ts'
import { openGate } from '../monitoring/errors/gate.server.ts'
import { explainFailure, openLanguageModel } from './model/languageModel.server.ts'

// Sends one question to the language model and returns one answer, which is unverified text. Never retries.

type Settings = NonNullable<AssistantConfig['ai']>

/** All nodes share this budget, so that an error in the shop cannot raise the cost. */
const BUDGET: Limit = { per: 'account', count: 30, seconds: 3600, isShared: true }
const MAX_AT_ONCE = 2
const MAX_BYTES = 64 * 1024
const RETRY_SECONDS = 30

export type Question = {
  task: string
  /** The material of the question. Strangers may have written it. */
  data: string
}

export type Model = {
  name: string
  /** Throws a Failure for staff: 429 if the budget is spent, 503 without an answer. */
  ask: (question: Question) => Promise<string>
}

/** `url` has no trailing slash. Each `budget` has its own counter. `noteCost` gets the cost of each answer. */
export function openModel(
  settings: Settings,
  limiter: Pick<SharedLimiter, 'take'>,
  { budget = 'model', noteCost }: { budget?: string; noteCost?: (microdollars: number) => Promise<unknown> } = {},
): Model {
  const spent = (sent: number, written: number) =>
    noteCost?.(Math.round(sent * settings.cost.sent + written * settings.cost.written))
  const gate = openGate('questions to the model were dropped', MAX_AT_ONCE)

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

type Spent = (sent: number, written: number) => Promise<unknown> | undefined

async function send(settings: Settings, question: Question, spent: Spent): Promise<string> {
  const { content, text, usage } = await generate(settings, question)
  // The provider charges for this answer, so records its cost.
  await spent(usage.inputTokens ?? 0, usage.outputTokens ?? 0)?.catch((error: unknown) =>
    log.warn('the cost of an answer of the model was not noted', { error }),
  )
  if (!content.some(({ type }) => type === 'text')) throw noAnswer("The model's answer could not be read.")
  return text
}

async function generate(settings: Settings, { task, data }: Question) {
  const signal = AbortSignal.timeout(settings.patienceMs)
  try {
    const { call, generateText } = await openLanguageModel(settings, MAX_BYTES)
    return await generateText({ ...call, instructions: task, prompt: data, abortSignal: signal })
  } catch (error) {
    if (signal.aborted) throw noAnswer(`The model did not answer within ${settings.patienceMs / 1000} s.`)
    const { why, cause } = await explainFailure(error)
    throw noAnswer(why, cause)
  }
}

function noAnswer(why: string, error?: unknown): Failure {
  // The log must not contain the question or the answer.
  log.warn('the model gave no answer', { why, ...(error !== undefined && { error }) })
  return new Failure(503, why, 'model_away', { retryAfter: RETRY_SECONDS })
}

const PING_MS = 2000
const UNTIL_THEN = 'errors have no explanations until then'
const ENDS = { openai: '/chat/completions', compatible: '/chat/completions', anthropic: '/messages' }

const keyHeaders = ({ provider, key }: Settings): Record<string, string> =>
  provider === 'anthropic'
    ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key}` }

/** Describes how the chat works without a language model. */
function answersWithout({ hasAssistant, hasMeaning }: Pick<AssistantConfig, 'hasAssistant' | 'hasMeaning'>): string {
  if (!hasAssistant) return 'staff answer the chat'
  const how = hasMeaning ? 'with a local embedding model' : 'by matching words'
  return `the assistant answers questions about products, orders and help ${how}; staff answer the rest`
}

/** Requests the list of models, which is free, for the status pages and `shop doctor`. */
export async function checkModel(
  config: Pick<AssistantConfig, 'ai' | 'hasAssistant' | 'hasMeaning'>,
): Promise<Finding> {
  const settings = config.ai
  if (!settings)
    return off('AI', `no language model is configured; ${answersWithout(config)}`, 'set AI_URL, AI_KEY and AI_MODEL')
  const { provider, url } = settings
  const { host } = new URL(url)
  try {
    const {
      ok: isFine,
      status,
      body,
    } = await fetch(`${url}/models`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PING_MS),
      headers: keyHeaders(settings),
    })
    await body?.cancel()
    if (isFine) return ok('AI', `${host} answers; the model is ${settings.model}`)
    if (status === 401 || status === 403) return fail('AI', `${host} refuses the key`, 'correct AI_KEY')
    if (status === 404) return warn('AI', `${host} lists no models`, `check that AI_URL ends before ${ENDS[provider]}`)
    return fail('AI', `${host} answers with status ${status}`, `see its status page; ${UNTIL_THEN}`)
  } catch {
    return fail('AI', `${host} does not answer`, `check that AI_URL is reachable; ${UNTIL_THEN}`)
  }
}
