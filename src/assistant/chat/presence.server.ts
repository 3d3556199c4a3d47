import { sql } from 'kysely'
import { type Db, now } from '../../kit/database.server.ts'

// Staff count as present for a minute after they viewed the inbox and some minutes after an answer.

const LOOKED_SECONDS = 60
const ANSWERED_MINUTES = 5
// The open page polls every few seconds; one write in this time is enough.
const NOTE_EVERY_SECONDS = 15

export async function notePresence(db: Db, staffId: string) {
  await db
    .insertInto('chatPresence')
    .values({ staffId })
    .onConflict((row) =>
      row
        .column('staffId')
        .doUpdateSet({ seenAt: now })
        .where('chatPresence.seenAt', '<', sql<Date>`now() - ${NOTE_EVERY_SECONDS} * interval '1 second'`),
    )
    .execute()
}

export async function areStaffOnline(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`SELECT
    EXISTS (SELECT FROM chat_presence WHERE seen_at > now() - ${LOOKED_SECONDS} * interval '1 second')
    OR EXISTS (SELECT FROM chat_messages WHERE author = 'admin' AND created_at > now() - ${ANSWERED_MINUTES} * interval '1 minute')
    AS is_there`.execute(db)
  return rows[0]!.isThere
}
