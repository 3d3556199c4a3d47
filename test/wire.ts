import type { ServerResponse } from 'node:http'

/** `asked` is the body of the request. */
export type Answering = (response: ServerResponse, asked?: object) => void

/** What a language model answers, in the shape of a provider's wire. */
export type Wire = {
  path: string
  /** The header that carries the key. */
  keyHeader: (key: string) => [name: string, value: string]
  /** A whole answer. */
  says: (content: unknown) => Answering
  /** An answer streamed in pieces, for 1,000 tokens sent and 100 written. */
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
