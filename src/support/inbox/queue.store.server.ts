import { sql } from 'kysely'
import { nameOf } from '../../identity/accounts/user.rules.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { MANY_CONVERSATIONS } from './inbox.contract.ts'
import * as statements from './inbox.statements.server.ts'
import { lastOf, only } from '../../kit/values/required.ts'

// The order of the inbox. An index supports each page, because every open inbox polls it.

const EXCERPT = 160

/** Returns customers in the order of the inbox, at most one more than a page. */
async function readPlaces(db: Db, after: string | undefined): Promise<string[]> {
  const limit = MANY_CONVERSATIONS + 1
  const [cursor] = after === undefined ? [] : await statements.findPlace(db, { userId: after })
  if (after !== undefined && !cursor) return []
  if (after !== undefined && cursor?.isQueued === false)
    return (await statements.readRestAfter(db, { after, limit })).map(({ userId }) => userId)
  const queued = await (after === undefined
    ? statements.readQueue(db, { limit })
    : statements.readQueueAfter(db, { after, limit }))
  const room = limit - queued.length
  const rest = room === 0 ? [] : await statements.readRest(db, { limit: room })
  return [...queued, ...rest].map(({ userId }) => userId)
}

export async function readConversations(db: Db, answersWithinHours: number, after: string | undefined) {
  const places = await readPlaces(db, after)
  const shown = places.slice(0, MANY_CONVERSATIONS)
  const rows = await statements.readConversations(db, { userIds: shown, answersWithinHours, length: EXCERPT })
  const found = new Map(rows.map((row) => [row.userId, row]))
  const conversations = shown.flatMap((userId) => {
    const row = found.get(userId)
    if (!row) return []
    const { excerpt, author, unread, isLate } = row
    const last = { lastAt: row.lastAt.toISOString(), lastMessage: excerpt, lastIsFromUser: author === 'user' }
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

type Row = Omit<statements.FindConversationRow, 'score'>
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
  const [row] = await statements.findConversation(db, { userId })
  if (!row) throw new Failure(404, 'Not found')
  return { customer: customerOf(row), score: row.score, ...stateOf(row) }
}

export async function countUnread(db: Db, userId: string): Promise<number> {
  return only(await statements.countUnread(db, { userId })).unread
}
