import { type Db, inTransaction } from '../kit/database.server.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { deleteOld } from '../kit/schema/retention.server.ts'
import { routeOf, scrub } from '../kit/log/scrub.rules.ts'
import { analyzeFraud } from './hints.contract.ts'

// Security events from browsers: stored for 30 days, at most the newest hundred of each account.

const MAX_KEPT = 100
const KEPT_DAYS = 30

export const hintRoutes: Route[] = [
  handle(
    analyzeFraud,
    {
      limits: [
        { per: 'account', count: 30, seconds: 60 },
        { per: 'address', count: 120, seconds: 60 },
      ],
    },
    async ({ event, sessionContext }, { user, db }) => {
      const userId = user.id
      const isNew = await inTransaction(db, async (tx) => {
        const added = await tx
          .insertInto('riskHints')
          .values({
            userId,
            eventId: event.id,
            type: event.type,
            severity: event.severity,
            description: scrub(event.description).slice(0, 300),
            route: routeOf(sessionContext.url),
            userAgent: sessionContext.userAgent.slice(0, 300),
            timezone: sessionContext.timezone.slice(0, 60),
            screen: sessionContext.screenResolution.slice(0, 30),
          })
          .onConflict((row) => row.columns(['userId', 'eventId']).doNothing())
          .executeTakeFirst()
        const older = tx
          .selectFrom('riskHints')
          .select('id')
          .where('userId', '=', userId)
          .orderBy('receivedAt', 'desc')
          .orderBy('id')
          .offset(MAX_KEPT)
        await tx.deleteFrom('riskHints').where('id', 'in', older).execute()
        return added.numInsertedOrUpdatedRows === 1n
      })
      return { isNew }
    },
  ),
]

export const hintJobs = (db: Db): Job[] => [
  {
    name: 'sweep_risk_hints',
    pool: 'other',
    cron: '23 3 * * *',
    run: async () => {
      await deleteOld(db, { table: 'riskHints', moment: 'receivedAt', days: KEPT_DAYS })
    },
  },
]
