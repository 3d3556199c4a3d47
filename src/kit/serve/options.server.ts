import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Database } from '../database.server.ts'
import type { Line } from '../contract.ts'
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
  /** For `isShared` limits. Without it, each node counts separately. */
  sharedLimiter?: SharedLimiter
  identify: (cookie: string | undefined) => Promise<User | null>
  /** Returns true if the session has a fresh proof of identity. Without this function, no session has one. */
  isVerified?: (cookie: string | undefined) => Promise<boolean>
  /** Returns true if the staff session is active. `isUsed` prolongs it. May throw a Failure. */
  isWorking?: (cookie: string | undefined, isUsed: boolean) => Promise<boolean>
  /** Called when a role does not allow a call. */
  noteRefused?: (user: User, route: string) => Promise<void>
  /** The calls that staff may make while they see the shop as a member. By default, none. */
  viewable?: ReadonlySet<Line>
  /** Handles GET for paths without a route: assets, pages, the 404. */
  fallback: (page: Page) => Promise<Answer>
  /** Accepts websockets of members. */
  door?: SocketDoor | undefined
  /** Returns the page for this path while the database is down. Null if the path is not a page. */
  busyPage?: (path: string) => Answer | null
  /** Undefined on a developer's machine, where any loopback name is accepted. */
  publicUrl: string | undefined
  /** Value of Strict-Transport-Security under TLS. Undefined omits the header. */
  strictTransport?: string | undefined
  isProxyTrusted: boolean
  observe?: ((seen: ServedRequest) => void) | undefined
  /** Returns the cookie for the response to a write with this status, or null for none. */
  afterWrite?: ((status: number) => Promise<string | null>) | undefined
  host: string
  port: number
  idleMs?: number
  headersMs?: number
  mostConnections?: number
  mostPerNetwork?: number
}

export type ServedRequest = { method: string; route: string; status: number; seconds: number }
