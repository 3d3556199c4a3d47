import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { MESSAGES } from './messagesWire.ts'
import { type Answering, EVENTS, inTwo, type Wire } from './wire.ts'

type ModelRequest = { authorization: string | undefined; model: string; messages: { role: string; content: string }[] }

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
const usage = { prompt_tokens: 1000, completion_tokens: 100 }
/** Reports token counts only if the request asks for them. */
const endOf = (asked: object = {}) =>
  `${'stream_options' in asked ? `data: ${JSON.stringify({ choices: [], usage })}\n\n` : ''}data: [DONE]\n\n`

const CHAT_COMPLETIONS: Wire = {
  path: '/v1/chat/completions',
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  says: (content) => (response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    response.end(JSON.stringify({ choices }))
  },
  streams:
    (...pieces) =>
    (response, asked) => {
      response.writeHead(200, EVENTS)
      for (const content of pieces) response.write(chunk({ content }))
      response.end(chunk({}, 'stop') + endOf(asked))
    },
  begins: (content) => (response) => {
    if (!response.headersSent) response.writeHead(200, EVENTS)
    response.write(chunk({ content }))
  },
  callsTool:
    (name, input, times = 1) =>
    (response, asked) => {
      const [head, tail] = inTwo(input)
      if (!response.headersSent) response.writeHead(200, EVENTS)
      for (let index = 0; index < times; index++) {
        const call = { index, id: `call-${index}`, type: 'function', function: { name, arguments: head } }
        response.write(chunk({ tool_calls: [call] }))
        response.write(chunk({ tool_calls: [{ index, function: { arguments: tail } }] }))
      }
      response.end(chunk({}, 'tool_calls') + endOf(asked))
    },
}

export const WIRES = { compatible: CHAT_COMPLETIONS, openai: CHAT_COMPLETIONS, anthropic: MESSAGES }
export type Provider = keyof typeof WIRES
export const { says, streams, begins, callsTool } = CHAT_COMPLETIONS

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
const FACT = /"id":"([^"]+)","says":("(?:[^"\\]|\\.)*")/g
/** The facts that a request gives to the model: ids by sentences. */
export const factsIn = (asked: object = {}): Map<string, string> =>
  new Map(
    stringsIn(asked)
      .flatMap((text) => [...text.matchAll(FACT)])
      .map(([, id, says]) => [JSON.parse(says!) as string, id!]),
  )
/** The answer of a model that chooses the facts with these sentences. Other texts stand in place of ids. */
export function chosen(asked: object | undefined, ...sentences: string[]): string {
  const ids = factsIn(asked)
  return JSON.stringify({ elements: sentences.map((says) => ids.get(says) ?? says) })
}
/** Streams such an answer in two pieces. */
export const chooses =
  (...sentences: string[]): Answering =>
  (response, asked) =>
    streams(...cutInTwo(chosen(asked, ...sentences)))(response, asked)
export const cutInTwo = (text: string): [string, string] => [text.slice(0, 16), text.slice(16)]

/** Of Anthropic a model with structured output. */
const MODELS = { compatible: 'small-1', openai: 'small-1', anthropic: 'claude-haiku-4-5' }
const KEY = 'a key that only tests know'.replaceAll(' ', '-')

/** A language model on loopback. A test defines its answers and can read the requests. */
export async function openFakeModel(port = 0, provider: Provider = 'compatible') {
  const wire = WIRES[provider]
  const state: { asked: ModelRequest[]; headers: IncomingHttpHeaders; answer: Answering } = {
    asked: [],
    headers: {},
    answer: wire.says('What happened: nothing yet.'),
  }
  const [name, value] = wire.keyHeader(KEY)
  const server = createServer((request, response) => {
    const { headers, url } = request
    state.headers = headers
    if (headers[name] !== value) return response.writeHead(401).end()
    if (url === '/v1/models') return response.end('{"data":[]}')
    if (url !== wire.path) return response.writeHead(404).end()
    void text(request).then((body) => {
      const asked = JSON.parse(body) as Omit<ModelRequest, 'authorization'>
      state.asked.push({ authorization: headers.authorization, ...asked })
      state.answer(response, asked)
    })
    return undefined
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.address() as AddressInfo
  return {
    state,
    port: address.port,
    key: KEY,
    settings: {
      AI_PROVIDER: provider,
      AI_URL: `http://127.0.0.1:${address.port}/v1/`,
      AI_KEY: KEY,
      AI_MODEL: MODELS[provider],
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
export type FakeModel = Awaited<ReturnType<typeof openFakeModel>>
