import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import {
  type ErrorGroup,
  type GroupStatus,
  listErrorGroups,
  listOccurrences,
  MANY_GROUPS,
  setErrorStatus,
} from './errors.contract.ts'
import { release } from '../release.server.ts'
import * as statements from './errors.statements.server.ts'
import { only } from '../../kit/values/required.ts'

const SHOWN_OCCURRENCES = 20

export const errorGroupRoutes: Route[] = [
  handle(listErrorGroups, async ({ status }, { db }) => {
    const rows = await db
      .selectFrom('errorGroups')
      .select(['status', (row) => row.fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute()
    const found = Object.fromEntries(rows.map((row) => [row.status, Number(row.count)]))
    return { counts: { open: 0, muted: 0, fixed: 0, ...found }, groups: await readGroups(db, { status }) }
  }),

  handle(listOccurrences, async ({ id }, { db }) => {
    if ((await readGroups(db, { id })).length === 0) throw new Failure(404, 'Not found')
    const rows = await db
      .selectFrom('errorOccurrences')
      .select(['id', 'seenAt', 'release', 'route', 'message', 'stack', 'componentStack', 'userAgent', 'autoFixed'])
      .where('groupId', '=', id)
      .orderBy('seenAt', 'desc')
      .orderBy('id')
      .limit(SHOWN_OCCURRENCES)
      .execute()
    return rows.map((row) => ({ ...row, seenAt: row.seenAt.toISOString() }))
  }),

  handle(setErrorStatus, ({ id, status }, { user, db }) =>
    inTransaction(db, async (tx) => {
      const changed = await tx
        .updateTable('errorGroups')
        .set({ status, fixedIn: status === 'fixed' ? release : null, isReopened: false })
        .where('id', '=', id)
        .executeTakeFirst()
      if (changed.numUpdatedRows === 0n) throw new Failure(404, 'Not found')
      await recordAct(tx, { actorId: user.id, act: `error.${status}`, subjectId: id })
      return only(await readGroups(tx, { id }))
    }),
  ),
]

async function readGroups(db: Db | Tx, { id, status }: { id?: string; status?: GroupStatus }): Promise<ErrorGroup[]> {
  const rows = await statements.readGroups(db, {
    groupId: id ?? null,
    groupStatus: status ?? null,
    limit: MANY_GROUPS,
  })
  return rows.map(({ firstSeenAt, lastSeenAt, ...row }) => ({
    ...row,
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
  }))
}
