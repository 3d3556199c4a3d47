import { type Db, now } from '../../kit/database.server.ts'

/** Returns no personal data: no hash of a person, no browser name. */
export const readCause = (db: Db, id: string) =>
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

export type Cause = NonNullable<Awaited<ReturnType<typeof readCause>>>

/** Returns the explanation for this release, otherwise the newest. */
export const findExplanation = (db: Db, groupId: string, release: string) =>
  db
    .selectFrom('errorExplanations')
    .select(['text', 'model', 'release', 'askedAt'])
    .where('groupId', '=', groupId)
    .orderBy((row) => row('release', '=', release), 'desc')
    .orderBy('askedAt', 'desc')
    .executeTakeFirst()

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
    .onConflict((row) => row.columns(['groupId', 'release']).doUpdateSet({ text, model, askedAt: now }))
    .execute()
