import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Asked = { authorization: string | undefined; model: string; messages: { role: string; content: string }[] }
type Answering = (response: ServerResponse) => void

/** An answer of the wire's shape. */
export const says =
  (content: unknown): Answering =>
  (response) =>
    void response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))

const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`

/** An answer streamed in pieces. */
export const streams =
  (...pieces: string[]): Answering =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of pieces) response.write(chunk({ content }))
    const usage = { prompt_tokens: 1000, completion_tokens: 100 }
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
  }

/** Begins an answer and never ends it. */
export const begins =
  (content: string): Answering =>
  (response) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content }))
  }

/** Calls a tool first, in two pieces as the wire does. */
export const callsTool =
  (name: string, input: object): Answering =>
  (response) => {
    const [head, tail] = [JSON.stringify(input).slice(0, 3), JSON.stringify(input).slice(3)]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ tool_calls: [{ index: 0, id: 'call-1', function: { name, arguments: head } }] }))
    response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: tail } }] }))
    response.end('data: [DONE]\n\n')
  }

const KEY = 'a key that only tests know'.replaceAll(' ', '-')

/** A model on loopback that speaks chat completions; a test says how it answers and sees what it was asked. */
export async function openFakeModel(port = 0) {
  const state: { asked: Asked[]; answer: Answering } = { asked: [], answer: says('What happened: nothing yet.') }
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    if (authorization !== `Bearer ${KEY}`) return response.writeHead(401).end()
    if (request.url === '/v1/models') return response.end('{"data":[]}')
    if (request.url !== '/v1/chat/completions') return response.writeHead(404).end()
    void text(request).then((body) => {
      state.asked.push({ authorization, ...(JSON.parse(body) as Omit<Asked, 'authorization'>) })
      state.answer(response)
    })
    return undefined
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.address() as AddressInfo
  return {
    state,
    port: address.port,
    key: KEY,
    settings: { AI_URL: `http://127.0.0.1:${address.port}/v1/`, AI_KEY: KEY, AI_MODEL: 'small-1' },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    },
  }
}
export type FakeModel = Awaited<ReturnType<typeof openFakeModel>>
