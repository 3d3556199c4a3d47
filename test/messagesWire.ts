import { EVENTS, inTwo, type Wire } from './wire.ts'

// The wire format of Anthropic's Messages API.

const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const start = () =>
  event('message_start', {
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'small-1', content: [], stop_reason: null },
      usage: { input_tokens: 1000, output_tokens: 1 },
    },
  }) + event('ping', {})
const block = (index: number, content_block: object, deltas: object[]) =>
  event('content_block_start', { index, content_block }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
  event('content_block_stop', { index })
const stop = (stop_reason: string) =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 100 } }) +
  event('message_stop', {})
const textDelta = (text: string) => ({ type: 'text_delta', text })

export const MESSAGES: Wire = {
  path: '/v1/messages',
  keyHeader: (key) => ['x-api-key', key],
  says: (text) => (response) => {
    const content = text === null ? [] : [{ type: 'text', text }]
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'small-1', content }
    const usage = { input_tokens: 1000, output_tokens: 100 }
    response.end(JSON.stringify({ ...message, stop_reason: 'end_turn', stop_sequence: null, usage }))
  },
  streams:
    (...pieces) =>
    (response) => {
      response.writeHead(200, EVENTS)
      response.end(start() + block(0, { type: 'text', text: '' }, pieces.map(textDelta)) + stop('end_turn'))
    },
  begins: (text) => (response) => {
    if (!response.headersSent) {
      response.writeHead(200, EVENTS)
      response.write(start() + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }))
    }
    response.write(event('content_block_delta', { index: 0, delta: textDelta(text) }))
  },
  callsTool:
    (name, input, times = 1) =>
    (response) => {
      response.writeHead(200, EVENTS)
      response.write(start())
      for (let index = 0; index < times; index++) {
        const call = { type: 'tool_use', id: `call-${index}`, name, input: {} }
        const parts = inTwo(input).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
        response.write(block(index, call, parts))
      }
      response.end(stop('tool_use'))
    },
}
