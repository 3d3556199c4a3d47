import type { Caller, Route } from '../handle.server.ts'
import type { Position, Replica } from './replica.server.ts'

// Reads public replies and routes with `fences` from the replica. After a write, a cookie stores the WAL position in
// the browser, so that every node knows which writes a reply must contain.

const SLACK_SECONDS = 20

export async function readFromReplica(routes: Route[], replica: Replica, cookie: SeenCookie): Promise<Route[]> {
  for (const channel of new Set(routes.flatMap(channelsOf))) await replica.watch(channel)
  return routes.map((route) => {
    if (route.kind === 'cached') {
      const { channels, load } = route
      return { ...route, load: (input, primary) => replica.read({ channels }, primary, (on) => load(input, on)) }
    }
    if (route.kind !== 'call' || !route.fences) return route
    const run = route.run as (input: never, caller: Caller) => Promise<unknown>
    const { fences } = route
    const runThere = (input: never, caller: Caller) => {
      const channels = fences.map((channel) => (channel === 'members' ? `members ${caller.user?.id}` : channel))
      const seen = cookie.of(caller.header('cookie'))
      return replica.read({ channels, seen }, caller, ({ db, pool }) => run(input, { ...caller, db, pool }))
    }
    return { ...route, run: runThere as typeof route.run }
  })
}

function channelsOf(route: Route): string[] {
  if (route.kind === 'cached') return route.channels
  return (route.kind === 'call' && route.fences) || []
}

export type SeenCookie = ReturnType<typeof createSeenCookie>

/** Statuses that prove that nothing was written. A 404 may be the retry of a delete whose reply was lost. */
const REFUSED = new Set([401, 403, 405, 413, 415, 421, 429])

/** Returns whether to query the primary's position after a write with this status. The query costs a statement. */
export function positionAfter(status: number): 'asked' | 'unknown' | 'none' {
  if (REFUSED.has(status)) return 'none'
  // the database is down or busy, and may still have written
  return status === 503 ? 'unknown' : 'asked'
}

/** The cookie needs no signature: with a forged position, a member reads from the primary or sees older own lists. */
export function createSeenCookie({ isTls, mostSeconds }: { isTls: boolean; mostSeconds: number }) {
  const name = `${isTls ? '__Host-' : ''}primo-seen`
  const cookieOf = (position: Position | null) =>
    `${name}=${position ?? 'unknown'}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${mostSeconds + SLACK_SECONDS}${isTls ? '; Secure' : ''}`
  const pattern = new RegExp(`(?:^|; )${name}=([^;]*)`)
  return {
    of: (header: string | undefined): Position => {
      const [, text] = pattern.exec(header ?? '') ?? []
      if (text === undefined) return 0
      return /^\d{1,16}$/.test(text) ? Number(text) : Infinity
    },
    /** Makes the cookie after a write. It outlives the maximum lag. An unknown position sends reads to the primary. */
    after: async (status: number, askPosition: () => Promise<Position>): Promise<string | null> => {
      const after = positionAfter(status)
      if (after === 'none') return null
      return cookieOf(after === 'asked' ? await askPosition().catch(() => null) : null)
    },
  }
}
