import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import type { Access, Endpoint, Line, Role } from './contract.ts'
import type { Database } from './database.server.ts'
import type { Limit } from './serve/limit.server.ts'

// Functions by which rooms declare routes. Only kit/serve/ imports the HTTP library.

export type User = {
  id: string
  email: string
  role: Role
  /** Set while staff see the shop as this member. Such a session calls only the `viewable` routes. */
  view?: StaffView
}

/** `staffId` signed in; `name` is the member's. */
export type StaffView = { staffId: string; name: string; endsAt: Date }

export type Caller<A extends Access = Access> = Database & {
  user: A extends 'public' ? User | null : A extends 'token' ? null : User
  /** The client's IP address: of the connection, or from the header of a trusted proxy. */
  ip: string
  header: (name: string) => string | undefined
  /** Checks for a fresh proof of identity, in calls that require it of some callers only. */
  isProven: () => Promise<boolean>
  /** Checks for an active staff session, in calls that members may use too. */
  isWorking: () => Promise<boolean>
}

export type CallRoute = {
  kind: 'call'
  endpoint: Endpoint
  run: (input: never, caller: never) => Promise<unknown>
  limits: Limit[]
  /** In bytes; 64 KB by default. */
  bodyLimit?: number
  /** For reads only: a replica may serve the call after it replayed the changes announced on these channels. */
  fences?: string[]
}

type Run<I extends z.ZodMiniType, R extends z.ZodMiniType, A extends Access> = (
  input: z.output<I>,
  caller: Caller<A>,
) => Promise<z.input<R> | JsonText>
type AnyRun = CallRoute['run']
type Given = [run: AnyRun] | [options: CallOptions, run: AnyRun]
type CallOptions = Partial<Pick<CallRoute, 'limits' | 'bodyLimit' | 'fences'>>
type Bind<A extends Access> = {
  <I extends z.ZodMiniType, R extends z.ZodMiniType>(endpoint: Endpoint<I, R>, run: Run<I, R, A>): CallRoute
  <I extends z.ZodMiniType, R extends z.ZodMiniType>(
    endpoint: Endpoint<I, R>,
    options: CallOptions,
    run: Run<I, R, A>,
  ): CallRoute
}

/** Binds an endpoint to its code. `run` may return `asJson(text)` if PostgreSQL built the JSON. */
export const handle: Bind<'member'> = (endpoint: Endpoint, ...given: Given) => {
  if (endpoint.access === 'public') throw new Error(`${endpoint.line} is public: bind it with handlePublic`)
  if (endpoint.access === 'token') throw new Error(`${endpoint.line} takes a token: bind it with handleToken`)
  return bind(endpoint, ...given)
}

export const handlePublic: Bind<'public'> = bind

export const handleToken: Bind<'token'> = bind

function bind(endpoint: Endpoint, ...given: Given): CallRoute {
  const [options, run] = given.length === 1 ? [{}, given[0]] : given
  return { kind: 'call', endpoint, run, limits: [], ...options }
}

export type JsonHeaders = Record<string, string | string[]>
export type JsonText = { json: string; headers?: JsonHeaders }
/** A cached reply. It expires on a notification, and at `until` (milliseconds of Date.now). */
export type Remembered = JsonText & { until?: number }
export const asJson = (json: string, headers?: JsonHeaders): JsonText => ({
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
  /** True if the connection and all forwarded addresses are of this machine. */
  isFromHere: boolean
  method: string
  url: string
  params: Record<string, string>
  query: URLSearchParams
  header: (name: string) => string | undefined
  body: Buffer
  /** The body of a 'stream' route, not read yet. */
  stream: Readable
  signal: AbortSignal
}

export type MemberPage = Page & { user: User }

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
  /** Requires a fresh proof of identity. */
  stepUp: boolean
  /** False for frequent replies that are the same for all: `user` is null, without a query of the session. */
  knowsCaller: boolean
  /** False for calls from other servers (webhooks, metrics): they have no origin and may use any host name. */
  isFromBrowser: boolean
  limits: Limit[]
  /** A method, not a property: its parameter is bivariant, so a handler may accept a narrower page. */
  run(page: Page): Promise<Answer>
}

/** The names of the parameters in a path: 'id' | 'number' for '/objects/:id/parts/:number'. */
export type ParamName<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? ParamName<Part> | ParamName<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

/** The page of a route. `user` is null only on public routes and on routes for programs. */
export type PageOf<L extends Line, A extends Access> = Omit<Page, 'user' | 'params'> & {
  user: A extends 'public' | 'token' ? User | null : User
  params: Record<ParamName<L>, string>
}

export function handleRaw<L extends Line, A extends Access>(
  line: L,
  options: Partial<Omit<RawRoute, 'kind' | 'line' | 'run'>> & { access: A; about: string },
  run: (page: PageOf<L, A>) => Promise<Answer>,
): RawRoute {
  const usual = { body: 'none', bodyLimit: 64 * 1024, stepUp: false, knowsCaller: true, isFromBrowser: true } as const
  return { kind: 'raw', line, ...usual, limits: [], ...options, run }
}

export type Route = CallRoute | RawRoute | CachedRoute

/** A public read that serve/cache.server.ts caches in memory. */
export type CachedRoute = {
  kind: 'cached'
  endpoint: Endpoint
  /** A message on one of these channels evicts the cached reply. */
  channels: string[]
  limits: Limit[]
  /** Returns null if the object is not public. Then `otherwise` runs, for the owner; without it the reply is 404. */
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
