import { z } from 'zod'
import { address, type Given, needAll, whole } from '../kit/config.server.ts'
import { Failure } from '../kit/failure.ts'
import { isLoopback } from '../kit/loopback.ts'

const visible = (most: number) => z.string().regex(new RegExp(String.raw`^[\x21-\x7e]{1,${most}}$`))

export const ASSISTANT_SETTINGS = {
  ASSISTANT: z
    .enum(['on', 'words', 'off'])
    .default('on')
    .describe('on, words without the model of meanings and its 60 MB, or off when only people answer the chat'),
  AI_PROVIDER: z
    .enum(['openai', 'anthropic', 'compatible'])
    .default('compatible')
    .describe('openai, anthropic, or compatible for another service with chat completions at AI_URL'),
  AI_URL: address
    .refine((url) => !/[?#]|\/\/[^/]*@/.test(url))
    .optional()
    .describe('an address of a language model, such as https://api.openai.com/v1'),
  AI_KEY: visible(500).optional().describe('the key that opens AI_URL, without spaces'),
  AI_MODEL: visible(100).optional().describe('the name of a model at AI_URL, without spaces'),
  AI_TIMEOUT_SECONDS: whole(1, 25, 20, 'number of seconds'),
  AI_ANSWERS_PER_DAY: whole(1, 100_000, 500, 'number of chat answers for the whole shop'),
  AI_ANSWERS_PER_PERSON: whole(1, 1000, 30, 'number of chat answers for each person a day'),
  AI_CENTS_PER_MILLION: z
    .string()
    .regex(/^\d{1,6}\/\d{1,6}$/)
    .default('0/0')
    .describe('what a million tokens cost in cents, sent and written, such as 15/60'),
}

const PROVIDERS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  compatible: undefined,
}

export type AssistantConfig = ReturnType<typeof resolveAssistant>

export function resolveAssistant(given: Given<typeof ASSISTANT_SETTINGS>) {
  const own = given.AI_KEY === undefined ? undefined : PROVIDERS[given.AI_PROVIDER]
  const { AI_KEY: key, AI_MODEL: model } = given
  const url = given.AI_URL ?? own
  needAll({ ...given, AI_URL: url }, ['AI_URL', 'AI_KEY', 'AI_MODEL'])
  const [sent, written] = given.AI_CENTS_PER_MILLION.split('/').map(Number) as [number, number]
  return {
    hasAssistant: given.ASSISTANT !== 'off',
    hasMeaning: given.ASSISTANT !== 'words',
    ai:
      url && key && model
        ? {
            ...{ provider: given.AI_PROVIDER, url: checkModelUrl(url), key, model },
            patienceMs: given.AI_TIMEOUT_SECONDS * 1000,
            ...{ perDay: given.AI_ANSWERS_PER_DAY, perPerson: given.AI_ANSWERS_PER_PERSON },
            // One cent per million tokens is 0.01 microdollars per token.
            cost: { sent: sent / 100, written: written / 100 },
          }
        : undefined,
  }
}

/** Allows plain http on this machine and to host names without a dot, as in a container network. */
function checkModelUrl(url: string): string {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && /[.:]/.test(hostname) && !isLoopback(hostname))
    throw new Failure(500, 'AI_URL: give an https address; anybody on the way could read the key.')
  return url.replace(/\/+$/, '')
}
