import type { LanguageModel } from 'ai'
import type { AssistantConfig } from '../assistant.settings.server.ts'

// The only file that loads the AI SDK, at the first question, with the provider in AI_PROVIDER only. Requests go only
// to AI_URL: redirects are rejected, and the size of an answer is limited.

export type ModelSettings = Pick<NonNullable<AssistantConfig['ai']>, 'provider' | 'url' | 'key' | 'model'>

/** The Messages API requires a limit. Answers need a tenth of it. */
const MAX_TOKENS = 4096

/** `mostBytes` limits each response. Pass `call` to `generateText` and `streamText`: no retries, no telemetry. */
export async function openLanguageModel(settings: ModelSettings, mostBytes: number) {
  const [{ generateText, streamText, isStepCount, Output }, model] = await Promise.all([
    import('ai'),
    openProvider(settings, openBoundedFetch(mostBytes)),
  ])
  const call = {
    ...{ model, maxRetries: 0, telemetry: { isEnabled: false } },
    ...(settings.provider === 'anthropic' && { maxOutputTokens: MAX_TOKENS }),
  }
  return { call, generateText, streamText, isStepCount, Output }
}

/** Returns a model object, because the SDK sends a mere model name to a hosted gateway. */
async function openProvider(settings: ModelSettings, fetch: typeof globalThis.fetch): Promise<LanguageModel> {
  const { provider, url: baseURL, key: apiKey, model } = settings
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey, fetch })(model)
  }
  if (provider === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    // OpenAI stores the answers of its Responses API, but not chat completions.
    return createOpenAI({ baseURL, apiKey, fetch }).chat(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const wire = { includeUsage: true, supportsStructuredOutputs: true }
  return createOpenAICompatible({ name: 'compatible', baseURL, apiKey, fetch, ...wire })(model)
}

class TooLong extends Error {}

/** Rejects redirects, which could send the question to an unconfigured address. */
function openBoundedFetch(mostBytes: number): typeof globalThis.fetch {
  return async (address, init) => {
    const response = await fetch(address, { ...init, redirect: 'error' })
    let bytes = 0
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        bytes += part.length
        // an error here also closes the connection
        if (bytes > mostBytes) controller.error(new TooLong())
        else controller.enqueue(part)
      },
    })
    return new Response(response.body?.pipeThrough(bound) ?? null, response)
  }
}

const REFUSALS: Record<number, string> = {
  401: 'The model refuses AI_KEY.',
  403: 'The model refuses AI_KEY.',
  404: 'AI_URL or AI_MODEL is not known there.',
  429: 'The model has too much to do, or its account is used up.',
}

/** Explains a failed call. SDK errors quote the question and the answer; `why` and `cause` may be logged. */
export async function explainFailure(error: unknown): Promise<{ why: string; cause?: unknown }> {
  const { APICallError, JSONParseError, TypeValidationError } = await import('ai')
  if (causesOf(error).some((cause) => cause instanceof TooLong)) return { why: "The model's answer is too long." }
  if (!APICallError.isInstance(error)) return { why: "The model's answer could not be read." }
  const { statusCode, cause } = error
  if (statusCode === undefined) return { why: 'The model does not answer.', cause }
  if (statusCode >= 300) return { why: REFUSALS[statusCode] ?? `The model answered with status ${statusCode}.` }
  if (JSONParseError.isInstance(cause) || TypeValidationError.isInstance(cause))
    return { why: "The model's answer could not be read." }
  return { why: "The model's answer broke off.", cause }
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
