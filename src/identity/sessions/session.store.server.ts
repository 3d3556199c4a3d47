import { sql } from 'kysely'
import type { Bus } from '../../kit/bus.server.ts'
import { type Database, type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { FACTOR_NEEDED } from '../../kit/contract.ts'
import { Failure } from '../../kit/failure.ts'
import type { Caller, User } from '../../kit/handle.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { hashToken, newToken } from '../token.store.server.ts'
import type { Cookies } from './cookies.server.ts'
import { dropOldest } from '../../kit/values/dropOldest.ts'
import * as statements from './session.statements.server.ts'

// A session ends after a day without use, at the latest after 14 days. Only the cookie contains the token. The table
// and the messages between nodes contain its hash.

const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20_000

export function sessionKeyOf(cookies: Cookies, cookie: string | undefined): string | null {
  const token = cookies.sessionToken(cookie)
  return token && hashToken(token)
}

export type From = Pick<Caller, 'ip' | 'header'>

export type CountryOf = (from: From) => Promise<string | null>

export type SessionOptions = {
  isProven?: boolean
  before?: ((tx: Tx) => Promise<void>) | undefined
  after?: (tx: Tx) => Promise<void>
}

/** Returns the token. With `isProven: false` the session starts without a fresh proof of identity. */
export async function insertSession(
  db: Db,
  userId: string,
  from: From,
  { countryOf, isProven = true, before, after }: SessionOptions & { countryOf?: CountryOf | undefined } = {},
): Promise<string> {
  const token = newToken()
  await inTransaction(db, async (tx) => {
    await before?.(tx)
    await tx
      .insertInto('sessions')
      .values({
        userId,
        tokenHash: hashToken(token),
        ipAddress: from.ip,
        userAgent: (from.header('user-agent') ?? '').slice(0, 300),
        expiresAt: sql<Date>`now() + interval '24 hours'`,
        verifiedAt: isProven ? now : sql<Date>`'epoch'`,
      })
      .execute()
    await after?.(tx)
  })
  if (countryOf) void noteCountry(db, token, countryOf(from))
  return token
}

async function noteCountry(db: Db, token: string, asked: Promise<string | null>) {
  try {
    const country = await asked
    if (country) await db.updateTable('sessions').set({ country }).where('tokenHash', '=', hashToken(token)).execute()
  } catch (error) {
    log.info('could not look up the country of a session', { error })
  }
}

/** Replaces the session's token. Does not renew its proof of identity. Returns null if the session has ended. */
export async function renewSession(tx: Tx, token: string): Promise<string | null> {
  const next = newToken()
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({
      tokenHash: hashToken(next),
      createdAt: now,
      updatedAt: now,
      expiresAt: sql<Date>`now() + interval '24 hours'`,
    })
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? next : null
}

export async function markVerified(db: Db, token: string) {
  await db.updateTable('sessions').set({ verifiedAt: now }).where('tokenHash', '=', hashToken(token)).execute()
}

/** Returns true within ten minutes of a proof of identity or a full sign-in. Always reads the database. */
export async function isVerified(pool: Database['pool'], token: string | null): Promise<boolean> {
  return token !== null && (await statements.findProof(pool, { tokenHash: hashToken(token) })).length > 0
}

const FACTOR_MISSING = new Failure(
  403,
  'Add a passkey or turn on two-factor authentication in Settings first. Staff accounts need one.',
  FACTOR_NEEDED,
)

/** Returns true for 8 hours after a proof of identity, unless staff have used no page for 30 minutes. */
export async function isWorking(
  pool: Database['pool'],
  token: string | null,
  { isUsed, needsFactor }: { isUsed: boolean; needsFactor: boolean },
): Promise<boolean> {
  if (token === null) return false
  const tokenHash = hashToken(token)
  const [row] = await statements.findWork(pool, { tokenHash })
  if (row && needsFactor && !row.hasFactor) throw FACTOR_MISSING
  if (row?.isOpen && row.isDue && isUsed) await statements.noteUse(pool, { tokenHash })
  return row?.isOpen ?? false
}

/** The signed-in account, or the member whose shop it sees. */
function userOf({ id, email, role, ownerId, viewName, viewEndsAt }: statements.FindSessionRow): User {
  if (viewName === null || viewEndsAt === null) return { id, email, role }
  return { id, email, role, view: { staffId: ownerId, name: viewName, endsAt: viewEndsAt } }
}

export type Identify = (cookie: string | undefined) => Promise<User | null>

/** NOTIFY on 'sessions' evicts changed sessions on every node. While notifications may be lost, nothing is cached. */
export async function watchSessions(
  { pool }: Database,
  bus: Bus,
  cookies: Cookies,
  { most = MAX_REMEMBERED, clock = () => performance.now() } = {},
): Promise<Identify> {
  const remembered = new Map<string, { user: User; until: number }>()
  const asking = new Map<string, Promise<User | null>>()

  await bus.listen('sessions', (key) => {
    if (key === null) {
      remembered.clear()
      asking.clear()
    } else {
      remembered.delete(key)
      asking.delete(key)
    }
  })

  async function ask(key: string, stillWanted: () => boolean): Promise<User | null> {
    const [row] = await statements.findSession(pool, { tokenHash: key })
    if (!row) return null
    const { isDue, endsInMs } = row
    const user = userOf(row)
    if (isDue)
      statements
        .prolongSession(pool, { tokenHash: key })
        .catch((error: unknown) => log.warn('could not prolong a session', { error }))
    // an eviction during the query may concern this session
    if (bus.isUp() && stillWanted()) {
      if (remembered.size >= most) dropOldest(remembered)
      remembered.set(key, { user, until: clock() + Math.min(REMEMBERED_MS, endsInMs) })
    }
    return user
  }

  return async (cookie) => {
    const key = sessionKeyOf(cookies, cookie)
    if (!key) return null
    const found = remembered.get(key)
    if (found && found.until > clock() && bus.isUp()) return found.user
    remembered.delete(key)
    const underWay = asking.get(key)
    if (underWay) return underWay
    const answer: Promise<User | null> = ask(key, () => asking.get(key) === answer).finally(() => {
      if (asking.get(key) === answer) asking.delete(key)
    })
    asking.set(key, answer)
    return answer
  }
}

export async function endSession(db: Db | Tx, token: string) {
  await db.deleteFrom('sessions').where('tokenHash', '=', hashToken(token)).execute()
}

/** Signs the account out everywhere, except in the browser with this token. Returns the number of ended sessions. */
export async function endSessionsOf(db: Db | Tx, userId: string, butOf = ''): Promise<number> {
  const others = db.deleteFrom('sessions').where('userId', '=', userId).where('tokenHash', '<>', hashToken(butOf))
  return Number((await others.executeTakeFirst()).numDeletedRows)
}

export async function sweepIdentity(db: Db) {
  await db.deleteFrom('sessions').where('expiresAt', '<', now).execute()
  await db.deleteFrom('trustedBrowsers').where('expiresAt', '<', now).execute()
  await db.deleteFrom('verifications').where('expiresAt', '<', now).execute()
}
