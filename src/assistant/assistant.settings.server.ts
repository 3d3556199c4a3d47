import { z } from 'zod'
import { address, type Given, needAll, whole } from '../kit/config.server.ts'
import { Failure } from '../kit/failure.ts'
import { isLoopback } from '../kit/loopback.ts'

const visible = (most: number) => z.string().regex(new RegExp(String.raw`^[\x21-\x7e]{1,${most}}$`))

export const ASSISTANT_SETTINGS = {
  AI_URL: address
    .refine((url) => !/[?#]|\/\/[^/]*@/.test(url))
    .optional()
    .describe('an address that speaks chat completions, such as https://api.openai.com/v1'),
  AI_KEY: visible(500).optional().describe('the key that opens AI_URL, without spaces'),
  AI_MODEL: visible(100).optional().describe('the name of a model at AI_URL, without spaces'),
  AI_TIMEOUT_SECONDS: whole(1, 25, 20, 'number of seconds'),
  SUPPORT_ANSWERS_WITHIN_HOURS: whole(1, 336, 24, 'number of hours'),
}

export type AssistantConfig = ReturnType<typeof resolveAssistant>

export function resolveAssistant(given: Given<typeof ASSISTANT_SETTINGS>) {
  needAll(given, ['AI_URL', 'AI_KEY', 'AI_MODEL'])
  const { AI_URL: url, AI_KEY: key, AI_MODEL: model } = given
  return {
    ai:
      url && key && model
        ? { url: checkModelUrl(url), key, model, patienceMs: given.AI_TIMEOUT_SECONDS * 1000 }
        : undefined,
    answersWithinHours: given.SUPPORT_ANSWERS_WITHIN_HOURS,
  }
}

/** Allows plain http on this machine and to host names without a dot, as in a container network. */
function checkModelUrl(url: string): string {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && /[.:]/.test(hostname) && !isLoopback(hostname))
    throw new Failure(500, 'AI_URL: give an https address; anybody on the way could read the key.')
  return url.replace(/\/+$/, '')
}
