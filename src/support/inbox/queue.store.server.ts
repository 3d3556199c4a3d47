import { sql } from 'kysely'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { MANY_CONVERSATIONS } from './inbox.contract.ts'
import { lastOf, only } from '../../kit/values/required.ts'

// The order of the inbox. Each page is read from an index, because every open inbox polls it.

const EXCERPT = 160

const UNREAD = sql`FROM chat_messages m
  WHERE m.user_id = c.user_id AND m.author = 'user' AND m.created_at > c.read_at`

const conversationRows = (db: Db) =>
  db
    .selectFrom('chatConversations as c')
    .innerJoin('users', 'users.id', 'c.userId')
    .leftJoin('users as agent', 'agent.id', 'c.assigneeId')
    .select(['c.userId', 'c.lastAt', 'c.waitingSince', 'c.mode', 'c.snoozedUntil', 'c.tags', 'c.assigneeId'])
    .select(['agent.firstName as agentFirstName', 'agent.lastName as agentLastName'])
    .select(['users.firstName', 'users.lastName', 'users.email', 'users.createdAt as joinedAt'])
    .select(sql<number>`(SELECT count(*) ${UNREAD})`.as('unread'))

/** A snoozed conversation stands among the rest until its time. */
const IS_QUEUED = sql<boolean>`c.waiting_since IS NOT NULL AND coalesce(c.snoozed_until <= now(), true)`
// as the index chat_conversations_waiting: who asked for a person first, then who waits longest
const PLACE = sql`c.mode <> 'person', c.waiting_since, c.user_id`

const isAfter = (after: string) => ({
  inQueue: sql<boolean>`(${PLACE}) > (SELECT ${PLACE} FROM chat_conversations c WHERE c.user_id = ${after})`,
  inRest: sql<boolean>`(c.last_at, c.user_id) < (SELECT c.last_at, c.user_id FROM chat_conversations c WHERE c.user_id = ${after})`,
})

/** Customers in the order of the inbox: who waits, then the rest by their last message. At most one more than a page holds. */
async function readPlaces(db: Db, after: string | undefined): Promise<string[]> {
  const customers = db.selectFrom('chatConversations as c').select('c.userId')
  const place = after === undefined ? undefined : isAfter(after)
  const cursor =
    after === undefined
      ? undefined
      : await customers.select(IS_QUEUED.as('isQueued')).where('c.userId', '=', after).executeTakeFirst()
  if (place && !cursor) return []
  const queued =
    cursor?.isQueued === false
      ? []
      : await customers
          .where(IS_QUEUED)
          .$call((some) => (place !== undefined ? some.where(place.inQueue) : some))
          .orderBy(sql`${PLACE}`)
          .limit(MANY_CONVERSATIONS + 1)
          .execute()
  const room = MANY_CONVERSATIONS + 1 - queued.length
  const rest =
    room === 0
      ? []
      : await customers
          .where(sql<boolean>`NOT (${IS_QUEUED})`)
          .$call((some) => (place && cursor?.isQueued === false ? some.where(place.inRest) : some))
          .orderBy('c.lastAt', 'desc')
          .orderBy('c.userId', 'desc')
          .limit(room)
          .execute()
  return [...queued, ...rest].map(({ userId }) => userId)
}

export async function readConversations(db: Db, answersWithinHours: number, after: string | undefined) {
  const places = await readPlaces(db, after)
  const shown = places.slice(0, MANY_CONVERSATIONS)
  const rows = await conversationRows(db)
    .innerJoinLateral(
      (one) =>
        one
          .selectFrom('chatMessages as m')
          .select([sql<string>`left(m.message, ${EXCERPT})`.as('lastMessage'), 'm.author'])
          .whereRef('m.userId', '=', 'c.userId')
          // a waiting customer's own words, not the assistant's answer to them
          .where(sql<boolean>`(c.waiting_since IS NULL OR m.author = 'user')`)
          .orderBy('m.createdAt', 'desc')
          .orderBy('m.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['last.lastMessage', 'last.author'])
    .select(sql<boolean>`c.waiting_since < now() - ${answersWithinHours} * interval '1 hour'`.as('isLate'))
    .where(sql<boolean>`c.user_id = ANY (${shown}::uuid[])`)
    .execute()
  const found = new Map(rows.map((row) => [row.userId, row]))
  const conversations = shown.flatMap((userId) => {
    const row = found.get(userId)
    if (!row) return []
    const { lastMessage, author, unread, isLate } = row
    const last = { lastAt: row.lastAt.toISOString(), lastMessage, lastIsFromUser: author === 'user' }
    return [{ ...customerOf(row), ...stateOf(row), ...last, unread, isLate: isLate ?? false }]
  })
  return { conversations, after: places.length > shown.length ? lastOf(shown) : null }
}

export async function countWaiting(db: Db) {
  const { waiting, since } = await db
    .selectFrom('chatConversations')
    .select([sql<number>`count(*)::int`.as('waiting'), sql<Date | null>`min(waiting_since)`.as('since')])
    .where('waitingSince', 'is not', null)
    .executeTakeFirstOrThrow()
  return { waiting, waitingSince: since?.toISOString() ?? null }
}

type Row = Awaited<ReturnType<ReturnType<typeof conversationRows>['execute']>>[number]
const customerOf = ({ userId, firstName, lastName, email, joinedAt }: Row) => ({
  userId,
  name: nameOf({ firstName, lastName }),
  email,
  joinedAt: joinedAt.toISOString(),
})

const stateOf = (row: Row) => ({
  waitingSince: row.waitingSince?.toISOString() ?? null,
  isForPerson: row.mode === 'person',
  assignee:
    row.assigneeId === null
      ? null
      : { id: row.assigneeId, name: nameOf({ firstName: row.agentFirstName, lastName: row.agentLastName }) },
  snoozedUntil: row.snoozedUntil && row.snoozedUntil > new Date() ? row.snoozedUntil.toISOString() : null,
  tags: row.tags,
})

export async function findConversation(db: Db, userId: string) {
  const row = await conversationRows(db)
    .select(
      sql<
        number | null
      >`(SELECT score FROM chat_settlements s WHERE s.user_id = c.user_id ORDER BY s.settled_at DESC LIMIT 1)`.as(
        'score',
      ),
    )
    .where('c.userId', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Failure(404, 'Not found')
  return { customer: customerOf(row), score: row.score, ...stateOf(row) }
}

export async function countUnread(db: Db, userId: string): Promise<number> {
  const { unread } = only(await conversationRows(db).where('c.userId', '=', userId).execute())
  return unread
}
