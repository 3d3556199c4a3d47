import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Database } from '../database.server.ts'
import type { Answer, Page, Route, User } from '../handle.server.ts'
import type { ByteCache } from './cache.server.ts'
import type { Limiter } from './limit.server.ts'
import type { SharedLimiter } from './sharedLimit.server.ts'

export type SocketDoor = {
  path: RegExp
  open: (request: IncomingMessage, socket: Duplex, head: Buffer, user: User) => Promise<void>
}

export type ServeOptions = {
  routes: Route[]
  database: Database
  cache: ByteCache
  limiter: Limiter
  /** For `isShared` limits; without it each node counts alone. */
  sharedLimiter?: SharedLimiter
  identify: (cookie: string | undefined) => Promise<User | null>
  /** Whether the session has a fresh proof of identity; without this function none has. */
  isVerified?: (cookie: string | undefined) => Promise<boolean>
  /** Whether a session of staff is open; `isUsed` prolongs it. May throw a Failure. */
  isWorking?: (cookie: string | undefined, isUsed: boolean) => Promise<boolean>
  /** Hears that a role does not allow a call. */
  noteRefused?: (user: User, route: string) => Promise<void>
  /** Answers GET for paths without a route: assets, pages, the 404. */
  fallback: (page: Page) => Promise<Answer>
  /** Where members open websockets, if anywhere. */
  door?: SocketDoor | undefined
  /** The page to show at this path while the database is away; null if the path is no page. */
  busyPage?: (path: string) => Answer | null
  /** Undefined on a developer's machine, where any loopback name is accepted. */
  publicUrl: string | undefined
  /** Value of Strict-Transport-Security under TLS. Undefined: the header is not sent. */
  strictTransport?: string | undefined
  isProxyTrusted: boolean
  observe?: ((seen: ServedRequest) => void) | undefined
  /** Makes the cookie that a browser gets with an answer of this status to a write; null for none. */
  afterWrite?: ((status: number) => Promise<string | null>) | undefined
  host: string
  port: number
  idleMs?: number
  headersMs?: number
  mostConnections?: number
  mostPerNetwork?: number
}

export type ServedRequest = { method: string; route: string; status: number; seconds: number }
