import type { Database } from '../database.server.ts'
import type { Answer, Page, Route, User } from '../handle.server.ts'
import type { ByteCache } from './cache.server.ts'
import type { Limiter } from './limit.server.ts'
import type { SharedLimiter } from './sharedLimit.server.ts'

export type ServeOptions = {
  routes: Route[]
  database: Database
  cache: ByteCache
  limiter: Limiter
  /** For limits that all nodes keep together; without it each node keeps them by itself. */
  sharedLimiter?: SharedLimiter
  /** Who sent this Cookie header. */
  identify: (cookie: string | undefined) => Promise<User | null>
  /** Whether they have shown a moment ago who they are; without it nobody has. */
  isVerified?: (cookie: string | undefined) => Promise<boolean>
  /** Answers GET for every path that no route has: assets, pages, the 404. */
  fallback: (page: Page) => Promise<Answer>
  /** Answers a browser that opens this path while the database is away; null where that is no page. */
  busyPage?: (path: string) => Answer | null
  /** The address customers use; undefined on a developer's machine, where any loopback name will do. */
  publicUrl: string | undefined
  isProxyTrusted: boolean
  /** Hears of every answer. */
  observe?: ((seen: Seen) => void) | undefined
  host: string
  port: number
  /** How long a connection may stand still, as that of a client who does not read; 30 s. */
  idleMs?: number
  /** How long the head of a request may take to come; 10 s. */
  headersMs?: number
  mostConnections?: number
}

/** One answered request; `route` is the pattern, never the address. */
export type Seen = { method: string; route: string; status: number; seconds: number }
