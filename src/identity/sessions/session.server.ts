import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Caller, handle, type Route } from '../../kit/handle.server.ts'
import type { Context } from '../pages/context.server.ts'
import { deviceOf } from './device.rules.ts'
import { type ActiveSession, endOtherSession, endOtherSessions, listSessions } from './session.contract.ts'
import { distrustBrowsersOf } from '../second-factor/trustedBrowsers.store.server.ts'
import { hashToken } from '../token.store.server.ts'

export function sessionListRoutes({ cookies }: Context): Route[] {
  const ownOf = ({ header }: Pick<Caller, 'header'>) => hashToken(cookies.sessionToken(header('cookie')) ?? '')
  return [
    handle(listSessions, (_, caller) => listOf(caller.db, caller.user.id, ownOf(caller))),

    handle(endOtherSession, async ({ id }, caller) => {
      const { db, user } = caller
      const { numDeletedRows } = await others(db, user.id, ownOf(caller)).where('id', '=', id).executeTakeFirst()
      if (numDeletedRows === 0n) throw new Failure(404, 'Not found')
      return listOf(db, user.id, ownOf(caller))
    }),

    handle(endOtherSessions, async (_, caller) => {
      const { db, user } = caller
      await others(db, user.id, ownOf(caller)).execute()
      // otherwise trusted browsers could sign in without the code
      await distrustBrowsersOf(db, user.id, cookies.trusted.of(caller.header('cookie')))
      return listOf(db, user.id, ownOf(caller))
    }),
  ]
}

const others = (db: Db, userId: string, own: string) =>
  db.deleteFrom('sessions').where('userId', '=', userId).where('tokenHash', '<>', own)

async function listOf(db: Db, userId: string, own: string): Promise<ActiveSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'userAgent', 'country', 'createdAt', 'updatedAt'])
    .select((row) => row.eb('tokenHash', '=', own).as('isThis'))
    .where('userId', '=', userId)
    .where('expiresAt', '>', (row) => row.fn<Date>('now'))
    .orderBy('isThis', 'desc')
    .orderBy('updatedAt', 'desc')
    .limit(200)
    .execute()
  return rows.map(({ id, userAgent, country, createdAt, updatedAt, isThis }) => ({
    id,
    device: deviceOf(userAgent),
    country,
    signedInAt: createdAt.toISOString(),
    lastSeenAt: updatedAt.toISOString(),
    isThis: isThis === true,
  }))
}
