import type { ServerResponse } from 'node:http'

/** `asked` is the body of the request. */
export type Answering = (response: ServerResponse, asked?: object) => void

/** The answers of a language model in the wire format of a provider. */
export type Wire = {
  path: string
  /** Returns the header with the API key. */
  keyHeader: (key: string) => [name: string, value: string]
  /** Sends a whole answer. */
  says: (content: unknown) => Answering
  /** Streams an answer in pieces, with usage of 1,000 input and 100 output tokens. */
  streams: (...pieces: string[]) => Answering
  /** Begins an answer and never ends it. */
  begins: (content: string) => Answering
  /** Calls a tool, once or several times in one turn, each call in two pieces. */
  callsTool: (name: string, input: object, times?: number) => Answering
}

export const EVENTS = { 'content-type': 'text/event-stream' }

export const inTwo = (input: object): [head: string, tail: string] => {
  const json = JSON.stringify(input)
  return [json.slice(0, 3), json.slice(3)]
}
