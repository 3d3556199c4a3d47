import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Line } from './contract.ts'
import type { Database } from './database.server.ts'
import type { Limit } from './serve/limit.server.ts'

// What a room says about its routes. Nothing here knows the HTTP library; `serve.server.ts` does.

export type User = { id: string; email: string; isAdmin: boolean }

export type Caller<A extends Access = Access> = Database & {
  user: A extends 'public' ? User | null : User
  /** The client's address: the connection's, or the trusted proxy's word. */
  ip: string
  /** A request header by its lower-case name. */
  header: (name: string) => string | undefined
  /** Whether they have shown within ten minutes who they are, for what asks it of some callers only. */
  isProven: () => Promise<boolean>
}

export type CallRoute = {
  kind: 'call'
  endpoint: Endpoint
  run: (input: never, caller: never) => Promise<unknown>
  limits: Limit[]
  /** The longest body in bytes, where it is not the usual one. */
  bodyLimit?: number
}

/** Binds a contract to its code. `run` may answer `asJson(text)` when PostgreSQL has already built the JSON. */
export function handle<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  endpoint: Endpoint<I, R>,
  run: (input: z.output<I>, caller: Caller<'member'>) => Promise<z.input<R> | JsonText>,
  options: { limits?: Limit[] } = {},
): CallRoute {
  if (endpoint.access === 'public') throw new Error(`${endpoint.line} is public: bind it with handlePublic`)
  return { kind: 'call', endpoint, run, limits: options.limits ?? [] }
}

/** The same for a public call, whose caller may be nobody. */
export function handlePublic<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  endpoint: Endpoint<I, R>,
  run: (input: z.output<I>, caller: Caller<'public'>) => Promise<z.input<R> | JsonText>,
  options: { limits?: Limit[]; bodyLimit?: number } = {},
): CallRoute {
  return { kind: 'call', endpoint, run, limits: [], ...options }
}

/** JSON that is already text, passed through as it is, with headers of its own if it needs them. */
export type JsonText = { json: string; headers?: Record<string, string> }
/** What is remembered of it: until news come, or until it is too old by itself (milliseconds of the clock). */
export type Remembered = JsonText & { until?: number }
export const asJson = (json: string, headers?: Record<string, string>): JsonText => ({
  json,
  ...(headers && { headers }),
})
export const isJsonText = (reply: unknown): reply is JsonText =>
  typeof reply === 'object' &&
  reply !== null &&
  typeof (reply as JsonText).json === 'string' &&
  Object.keys(reply).length <= 2

export type Page = Database & {
  user: User | null
  ip: string
  /** True when the connection, and everybody a proxy says it speaks for, is this machine. */
  isFromHere: boolean
  method: string
  /** Path and query as they were sent. */
  url: string
  params: Record<string, string>
  query: URLSearchParams
  header: (name: string) => string | undefined
  /** The whole body, at most `bodyLimit` bytes; empty for 'stream' and 'none'. */
  body: Buffer
  /** The unread body of a 'stream' route. */
  stream: Readable
  /** Aborted when the client goes away. */
  signal: AbortSignal
}

export type Answer = {
  status: number
  headers?: Record<string, string | string[]>
  body?: string | Buffer | Readable
}

export type RawRoute = {
  kind: 'raw'
  line: Line
  access: Access
  about: string
  body: 'none' | 'bytes' | 'stream'
  bodyLimit: number
  /** False for what is the same for everybody and asked so often that nobody is looked up for it: `user` is null. */
  knowsCaller: boolean
  /**
   * False only for calls that other servers make (webhooks, figures, the sandbox's wire): they carry no browser's origin,
   * and come by any host name.
   */
  isFromBrowser: boolean
  limits: Limit[]
  run: (page: Page) => Promise<Answer>
}

/** A route that is not a JSON call: pages, forms, files, webhooks. */
export function handleRaw(
  line: Line,
  options: Partial<Omit<RawRoute, 'kind' | 'line' | 'run'>> & { access: Access; about: string },
  run: (page: Page) => Promise<Answer>,
): RawRoute {
  const usual = { body: 'none', bodyLimit: 64 * 1024, knowsCaller: true, isFromBrowser: true } as const
  return { kind: 'raw', line, ...usual, limits: [], ...options, run }
}

export type Route = CallRoute | RawRoute | CachedRoute

/** A public read that is answered from memory as encoded bytes; see cache.server.ts. */
export type CachedRoute = {
  kind: 'cached'
  endpoint: Endpoint
  /** What it depends on: a message on one of these channels empties it. */
  channels: string[]
  limits: Limit[]
  /** Answers null when the thing is not public; `otherwise` then decides (404, or the owner's own view). */
  load: (input: never, database: Database) => Promise<Remembered | null>
  otherwise?: (input: never, caller: Caller<'public'>) => Promise<unknown>
}

export function handleCached<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  endpoint: Endpoint<I, R>,
  options: {
    channels: string[]
    limits?: Limit[]
    load: (input: z.output<I>, database: Database) => Promise<Remembered | null>
    otherwise?: (input: z.output<I>, caller: Caller<'public'>) => Promise<z.input<R> | JsonText>
  },
): CachedRoute {
  return { kind: 'cached', endpoint, limits: [], ...options }
}

export const lineOf = (route: Route): Line => (route.kind === 'raw' ? route.line : route.endpoint.line)
export const accessOf = (route: Route): Access => (route.kind === 'raw' ? route.access : route.endpoint.access)
