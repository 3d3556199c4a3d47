import { sql } from 'kysely'
import type { Db } from '../../kit/database.server.ts'
import type { ErrorSeverity, ErrorType } from './errors.rules.ts'

// What is known of one cause, for whoever explains it, and the explanations as they are kept.

/** Of nobody: no person's hash, no browser's name. */
export type Cause = {
  message: string
  type: ErrorType
  severity: ErrorSeverity
  place: string
  firstRelease: string
  lastRelease: string
  times: number
  people: number
  /** Of the newest occurrence; null when all are forgotten. */
  route: string | null
  stack: string | null
  componentStack: string | null
}

export const readCause = (db: Db, id: string): Promise<Cause | undefined> =>
  db
    .selectFrom('errorGroups as g')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('errorOccurrences')
          .select(['route', 'stack', 'componentStack'])
          .whereRef('groupId', '=', 'g.id')
          .orderBy('seenAt', 'desc')
          .orderBy('id')
          .limit(1)
          .as('o'),
      (join) => join.onTrue(),
    )
    .select(['g.message', 'g.type', 'g.severity', 'g.place', 'g.firstRelease', 'g.lastRelease', 'g.times', 'g.people'])
    .select(['o.route', 'o.stack', 'o.componentStack'])
    .where('g.id', '=', id)
    .executeTakeFirst()

/** That of the release named, or else the newest. */
export const findExplanation = (db: Db, groupId: string, release: string) =>
  db
    .selectFrom('errorExplanations')
    .select(['text', 'model', 'release', 'askedAt'])
    .where('groupId', '=', groupId)
    .orderBy((row) => row('release', '=', release), 'desc')
    .orderBy('askedAt', 'desc')
    .executeTakeFirst()

/** Does nothing when the cause is gone by now. */
export const keepExplanation = (
  db: Db,
  { groupId, release, text, model }: { groupId: string; release: string; text: string; model: string },
) =>
  db
    .insertInto('errorExplanations')
    .columns(['groupId', 'release', 'text', 'model'])
    .expression((from) =>
      from
        .selectFrom('errorGroups')
        .select((row) => ['id', row.val(release).as('release'), row.val(text).as('text'), row.val(model).as('model')])
        .where('id', '=', groupId)
        .forKeyShare(),
    )
    .onConflict((row) => row.columns(['groupId', 'release']).doUpdateSet({ text, model, askedAt: sql`now()` }))
    .execute()
