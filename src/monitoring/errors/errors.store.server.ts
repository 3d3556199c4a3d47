import { sql } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { deleteOld } from '../../kit/schema/retention.server.ts'
import type { ErrorSeverity, ErrorType } from './errors.rules.ts'
import * as statements from './errors.statements.server.ts'
import { only } from '../../kit/values/required.ts'

/** Limit of open groups. Muted and fixed groups do not count. */
const MAX_GROUPS = 500
/** A person who alone reported more open groups than this is flooding. */
const MAX_ALONE = 30
const MAX_OCCURRENCES = 50
/** Above this number, people are not counted. */
const MAX_PEOPLE = 10_000

export type Report = {
  fingerprint: string
  type: ErrorType
  severity: ErrorSeverity
  message: string
  place: string
  person: string
  occurrence: {
    release: string
    route: string
    stack: string
    componentStack: string
    userAgent: string
    autoFixed: boolean
  }
}

/**
 * Adds an error to the group of its cause and returns the group's id. Returns null if the cause is new and `mayOpen`
 * refuses it, or no room is left. Updates the group's row last, because all reports of the error contend for its lock.
 */
export const writeReport = (db: Db, report: Report, mayOpen: () => boolean): Promise<string | null> =>
  inTransaction(db, async (tx) => {
    const group = await findGroup(tx, report, mayOpen)
    if (!group) return null
    const { id, isNew } = group
    const { message, person, occurrence } = report
    await tx
      .insertInto('errorOccurrences')
      .values({ groupId: id, message, ...occurrence })
      .execute()
    await forgetOldest(tx, id)
    const isMet = group.people < MAX_PEOPLE && (await meetPerson(tx, id, person))
    if (isNew && !(await makeRoom(tx, id))) {
      await tx.deleteFrom('errorGroups').where('id', '=', id).execute()
      return null
    }
    await tx
      .insertInto('errorDays')
      .values({ groupId: id, day: sql`date_trunc('day', now(), 'UTC')`, times: 1 })
      .onConflict((row) => row.columns(['groupId', 'day']).doUpdateSet({ times: sql`error_days.times + 1` }))
      .execute()
    await statements.countReport(tx, {
      ...{ id, message, people: isMet ? 1 : 0, place: report.place, severity: report.severity },
      release: occurrence.release,
    })
    return id
  })

/** Locks the group against deletion only. */
async function findGroup(
  tx: Tx,
  { fingerprint, type, severity, message, place, occurrence }: Report,
  mayOpen: () => boolean,
) {
  const known = () =>
    tx
      .selectFrom('errorGroups')
      .select(['id', 'people', sql<boolean>`false`.as('isNew')])
      .where('fingerprint', '=', fingerprint)
      .forKeyShare()
      .executeTakeFirst()
  const found = await known()
  if (found) return found
  if (!mayOpen()) return null
  const { release } = occurrence
  const added = await tx
    .insertInto('errorGroups')
    .values({ fingerprint, type, severity, message, place, firstRelease: release, lastRelease: release })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning(['id', 'people', sql<boolean>`true`.as('isNew')])
    .executeTakeFirst()
  return added ?? (await known()) ?? null
}

const forgetOldest = (tx: Tx, groupId: string) =>
  tx
    .deleteFrom('errorOccurrences')
    .where('id', 'in', (older) =>
      older
        .selectFrom('errorOccurrences')
        .select('id')
        .where('groupId', '=', groupId)
        .orderBy('seenAt', 'desc')
        .orderBy('id')
        .offset(MAX_OCCURRENCES),
    )
    .execute()

async function meetPerson(tx: Tx, groupId: string, person: string): Promise<boolean> {
  const { isNew } = await tx
    .insertInto('errorPeople')
    .values({ groupId, person })
    .onConflict((row) => row.columns(['groupId', 'person']).doUpdateSet({ lastSeenAt: now }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow()
  return isNew
}

/**
 * Evicts open groups beyond the limit: first those of a person who alone reported very many, then those with the fewest
 * people, oldest sighting first. Excludes locked groups and groups seen by two people within a day. If no group can go,
 * drops the new one and returns false.
 */
async function makeRoom(tx: Tx, newest: string): Promise<boolean> {
  const { excess, ids } = only(await statements.findExcess(tx, { newest, maxAlone: MAX_ALONE, maxGroups: MAX_GROUPS }))
  if (excess > 0 && ids.length === 0) return false
  if (ids.length === 0) return true
  await tx
    .deleteFrom('errorGroups')
    .where('id', 'in', (free) =>
      free.selectFrom('errorGroups').select('id').where('id', 'in', ids).forUpdate().skipLocked(),
    )
    .execute()
  return true
}

const GROUPS_AT_ONCE = 100

/** Deletes occurrences, days and people after this many days, and open groups not seen since. */
export async function sweepErrors(db: Db, days: number) {
  await deleteOld(db, { table: 'errorOccurrences', moment: 'seenAt', days })
  await deleteOld(db, { table: 'errorDays', moment: 'day', days })
  if ((await deleteOld(db, { table: 'errorPeople', moment: 'lastSeenAt', days })) > 0) await recountPeople(db)
  // last, so that little is left for the cascading delete
  await deleteOld(db, { table: 'errorGroups', moment: 'lastSeenAt', days, where: sql`status = 'open'` }, GROUPS_AT_ONCE)
}

async function recountPeople(db: Db) {
  const groups = await db.selectFrom('errorGroups').select('id').orderBy('id').execute()
  for (let start = 0; start < groups.length; start += GROUPS_AT_ONCE) {
    const ids = groups.slice(start, start + GROUPS_AT_ONCE).map(({ id }) => id)
    await statements.recountPeople(db, { ids })
  }
}
