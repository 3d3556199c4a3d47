import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import type { ErrorSeverity, ErrorType } from './errors.rules.ts'

// Reported errors as they are kept. Nothing else writes these tables.

/** Open ones: what staff have decided on does not count. */
const MOST_GROUPS = 500
/** Somebody who alone has met more of them than that is flooding us. */
const MOST_ALONE = 30
const MOST_OCCURRENCES = 50
/** From so many people on it is 'very many' and nobody is added. */
const MOST_PEOPLE = 10_000

export type Report = {
  fingerprint: string
  type: ErrorType
  severity: ErrorSeverity
  message: string
  place: string
  /** A hash that leads back to nobody. */
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
 * Puts an error to those of the same cause and answers the id of the group; null when the cause is new and `mayOpen`
 * says no, or there is no room for it. The group's own row, which everybody who meets the error writes, comes last: it is locked for one statement.
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
    const isMet = group.people < MOST_PEOPLE && (await meetPerson(tx, id, person))
    if (isNew && !(await makeRoom(tx, id))) {
      await tx.deleteFrom('errorGroups').where('id', '=', id).execute()
      return null
    }
    await tx
      .insertInto('errorDays')
      .values({ groupId: id, day: sql`date_trunc('day', now(), 'UTC')`, times: 1 })
      .onConflict((row) => row.columns(['groupId', 'day']).doUpdateSet({ times: sql`error_days.times + 1` }))
      .execute()
    await countReport(tx, id, report, isMet)
    return id
  })

/** Only against its being deleted is the group locked meanwhile. */
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

/** Counts it in. A group marked as fixed opens again when the error comes from a release that started later. */
function countReport(
  tx: Tx,
  id: string,
  { severity, message, place, occurrence: { release } }: Report,
  isMet: boolean,
) {
  const comesBack = sql<boolean>`status = 'fixed' AND EXISTS (
    SELECT FROM releases later JOIN releases mended ON mended.name = error_groups.fixed_in
    WHERE later.name = ${release} AND later.started_at > mended.started_at)`
  return tx
    .updateTable('errorGroups')
    .set({
      times: sql`times + 1`,
      people: sql`people + ${isMet ? 1 : 0}::int`,
      message,
      place,
      severity,
      lastSeenAt: sql`now()`,
      lastRelease: release,
      status: sql`CASE WHEN ${comesBack} THEN 'open' ELSE status END`,
      fixedIn: sql`CASE WHEN ${comesBack} THEN NULL ELSE fixed_in END`,
      isReopened: sql`is_reopened OR (${comesBack})`,
    })
    .where('id', '=', id)
    .execute()
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
        .offset(MOST_OCCURRENCES),
    )
    .execute()

/** Answers whether they had not met it before. */
async function meetPerson(tx: Tx, groupId: string, person: string): Promise<boolean> {
  const { isNew } = await tx
    .insertInto('errorPeople')
    .values({ groupId, person })
    .onConflict((row) => row.columns(['groupId', 'person']).doUpdateSet({ lastSeenAt: sql`now()` }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow()
  return isNew
}

/**
 * Past the cap open causes go, and the new one stays long enough for a second person to meet it: first those of somebody
 * who alone reported very many (who floods us pushes out their own flood), then those that fewest people met, of these the
 * ones seen longest ago. What more than one person met within a day stays; where all are such, the new one goes, and the
 * answer is false. So does what staff have muted or fixed, and what somebody is writing at this moment.
 */
async function makeRoom(tx: Tx, newest: string): Promise<boolean> {
  const { rows } = await sql<{ excess: number; ids: string[] }>`
    WITH open AS (
      SELECT g.id, g.people, g.last_seen_at,
        CASE WHEN g.people <= 1 THEN (SELECT min(p.person) FROM error_people p WHERE p.group_id = g.id) END AS alone,
        (SELECT count(*) FROM (SELECT FROM error_people p
          WHERE p.group_id = g.id AND p.last_seen_at > now() - interval '24 hours' LIMIT 2) met) > 1 AS is_met
      FROM error_groups g WHERE g.status = 'open' AND g.id <> ${newest}::uuid),
    ranked AS (
      SELECT *, alone IS NOT NULL AND count(*) OVER (PARTITION BY alone) > ${MOST_ALONE}::int AS is_flood FROM open),
    total AS (SELECT greatest(0, count(*)::int + 1 - ${MOST_GROUPS}::int) AS excess FROM open)
    SELECT excess, ARRAY(SELECT id FROM ranked WHERE NOT is_met ORDER BY is_flood DESC, people, last_seen_at LIMIT excess) AS ids
    FROM total`.execute(tx)
  const { excess, ids } = rows[0]!
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

const KEPT_DAYS = 30

/** Forgets occurrences, days and people of more than 30 days ago, and open causes that were not seen since. */
export async function sweepErrors(db: Db) {
  const old = sql<Date>`now() - ${KEPT_DAYS} * interval '1 day'`
  await db.deleteFrom('errorOccurrences').where('seenAt', '<', old).execute()
  await db.deleteFrom('errorDays').where('day', '<', old).execute()
  await db.deleteFrom('errorGroups').where('status', '=', 'open').where('lastSeenAt', '<', old).execute()
  const gone = await db.deleteFrom('errorPeople').where('lastSeenAt', '<', old).returning('groupId').execute()
  const ids = [...new Set(gone.map(({ groupId }) => groupId))]
  if (ids.length === 0) return
  await db
    .updateTable('errorGroups')
    .set({ people: sql`(SELECT count(*) FROM error_people WHERE group_id = error_groups.id)` })
    .where('id', 'in', ids)
    .execute()
}
