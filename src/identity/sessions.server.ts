import { sql } from 'kysely'
import type { Bus } from '../kit/bus.server.ts'
import { type Database, type Db, statement, type Tx } from '../kit/database.server.ts'
import type { User } from '../kit/handle.server.ts'
import { log } from '../kit/log.server.ts'
import type { Cookies } from './cookies.server.ts'

// Who is signed in. A session ends after a day without use, and after 14 days in any case.

const REMEMBERED_MS = 30_000
const MOST_REMEMBERED = 20_000

type Row = User & { isDue: boolean; endsInMs: number }

const findSession = statement<Row, [token: string]>(
  'identity_session',
  `SELECT u.id, u.email, u.role = 'admin' AS "isAdmin", s.updated_at < now() - interval '1 hour' AS "isDue",
     (extract(epoch FROM s.expires_at - now()) * 1000)::float8 AS "endsInMs"
   FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.token = $1 AND s.expires_at > now() AND s.created_at > now() - interval '14 days'`,
)

const prolongSession = statement<never, [token: string]>(
  'identity_prolong',
  `UPDATE sessions SET updated_at = now(),
     expires_at = least(now() + interval '24 hours', created_at + interval '14 days')
   WHERE token = $1 AND updated_at < now() - interval '1 hour'`,
)

export type Identify = (cookie: string | undefined) => Promise<User | null>

/**
 * Answers who sent a Cookie header: from memory, or by one statement. The database tells every node when a session or
 * its account changes ('sessions', the token); without that news nothing is remembered.
 */
export async function watchSessions(
  { pool }: Database,
  bus: Bus,
  cookies: Cookies,
  { most = MOST_REMEMBERED, now = () => performance.now() } = {},
): Promise<Identify> {
  const remembered = new Map<string, { user: User; until: number }>()
  const asking = new Map<string, Promise<User | null>>()

  await bus.listen('sessions', (token) => {
    if (token === null) {
      remembered.clear()
      asking.clear()
    } else {
      remembered.delete(token)
      asking.delete(token)
    }
  })

  async function ask(token: string, stillWanted: () => boolean): Promise<User | null> {
    const [row] = await findSession(pool, token)
    if (!row) return null
    const { isDue, endsInMs, ...user } = row
    if (isDue) prolongSession(pool, token).catch((error: unknown) => log.warn('a session was not prolonged', { error }))
    // news that came while we were asking may be about this very session
    if (bus.isUp() && stillWanted()) {
      if (remembered.size >= most) remembered.delete(remembered.keys().next().value!)
      remembered.set(token, { user, until: now() + Math.min(REMEMBERED_MS, endsInMs) })
    }
    return user
  }

  return async (cookie) => {
    const token = cookies.sessionToken(cookie)
    if (!token) return null
    const found = remembered.get(token)
    if (found && found.until > now() && bus.isUp()) return found.user
    remembered.delete(token)
    const underWay = asking.get(token)
    if (underWay) return underWay
    const answer: Promise<User | null> = ask(token, () => asking.get(token) === answer).finally(() => {
      if (asking.get(token) === answer) asking.delete(token)
    })
    asking.set(token, answer)
    return answer
  }
}

/** Signs out one browser. */
export async function endSession(db: Db | Tx, token: string) {
  await db.deleteFrom('sessions').where('token', '=', token).execute()
}

/** Signs an account out everywhere. */
export async function endSessionsOf(db: Db | Tx, userId: string) {
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
}

/** Clears what has run out: sessions, and links that were never opened. */
export async function sweepIdentity(db: Db) {
  await db
    .deleteFrom('sessions')
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()
  await db
    .deleteFrom('trustedBrowsers')
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()
  await db
    .deleteFrom('verifications')
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()
}
