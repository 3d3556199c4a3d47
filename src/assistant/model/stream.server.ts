import type { AssistantConfig } from '../assistant.settings.server.ts'

// Chat completions with tools, streamed. Both large providers and every local server speak this.

type Settings = Pick<NonNullable<AssistantConfig['ai']>, 'url' | 'key' | 'model'>

export type ToolCall = { id: string; name: string; input: string }
export type Message =
  | { role: 'system' | 'user' | 'assistant'; content: string }
  | {
      role: 'assistant'
      content: string | null
      tool_calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
    }
  | { role: 'tool'; tool_call_id: string; content: string }
export type Tool = {
  name: string
  about: string
  input: Record<string, unknown>
  run: (input: unknown) => Promise<string>
}

export type Turn = { calls: ToolCall[]; text: string; tokens: { sent: number; written: number } }

const MOST_BYTES = 256 * 1024
const MOST_CALLS = 4

type Chunk = {
  choices?: {
    delta?: {
      content?: string | null
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
    }
  }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
}

/** One turn of the model. `onText` gets each piece of text. Throws when the service refuses or breaks off. */
export async function streamTurn(
  { url, key, model }: Settings,
  messages: Message[],
  tools: Tool[],
  { signal, onText }: { signal: AbortSignal; onText: (piece: string) => void },
): Promise<Turn> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    redirect: 'error',
    signal,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      ...{ model, messages, stream: true, stream_options: { include_usage: true } },
      ...(tools.length > 0 && {
        tools: tools.map(({ name, about, input }) => ({
          type: 'function',
          function: { name, description: about, parameters: input },
        })),
      }),
    }),
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new Error(`the model answered with status ${response.status}`)
  }
  const turn: Turn = { calls: [], text: '', tokens: { sent: 0, written: 0 } }
  for await (const data of eventsOf(response.body)) {
    const { choices, usage } = JSON.parse(data) as Chunk
    if (usage) turn.tokens = { sent: usage.prompt_tokens ?? 0, written: usage.completion_tokens ?? 0 }
    const delta = choices?.[0]?.delta
    if (typeof delta?.content === 'string' && delta.content !== '') {
      turn.text += delta.content
      onText(delta.content)
    }
    for (const part of delta?.tool_calls ?? []) {
      const at = part.index ?? 0
      if (at >= MOST_CALLS) continue
      const call = (turn.calls[at] ??= { id: '', name: '', input: '' })
      call.id += part.id ?? ''
      call.name += part.function?.name ?? ''
      call.input += part.function?.arguments ?? ''
    }
  }
  turn.calls = turn.calls.filter((call) => call?.name)
  return turn
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MOST_BYTES) throw new Error('the answer of the model is too long')
    rest += decoder.decode(part, { stream: true })
    const lines = rest.split(/\r?\n/)
    rest = lines.pop()!
    for (const line of lines) {
      const data = /^data:\s?(.*)$/.exec(line)?.[1]
      if (data === '[DONE]') return
      if (data) yield data
    }
  }
}
