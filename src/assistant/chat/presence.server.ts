import { sql } from 'kysely'
import type { Db } from '../../kit/database.server.ts'

// Who of support is there. True for a minute after the conversations were looked at, and some minutes after an answer.

const LOOKED_SECONDS = 60
const ANSWERED_MINUTES = 5
// the open page asks every few seconds; one write in fifteen is enough
const NOTE_EVERY_SECONDS = 15

/** Notes that an administrator has the conversations open. */
export async function notePresence(db: Db, staffId: string) {
  await db
    .insertInto('chatPresence')
    .values({ staffId })
    .onConflict((row) =>
      row
        .column('staffId')
        .doUpdateSet({ seenAt: sql`now()` })
        .where('chatPresence.seenAt', '<', sql<Date>`now() - ${NOTE_EVERY_SECONDS} * interval '1 second'`),
    )
    .execute()
}

/** Whether a person is there to answer. */
export async function isAnybodyThere(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`SELECT
    EXISTS (SELECT FROM chat_presence WHERE seen_at > now() - ${LOOKED_SECONDS} * interval '1 second')
    OR EXISTS (SELECT FROM chat_messages WHERE author = 'admin' AND created_at > now() - ${ANSWERED_MINUTES} * interval '1 minute')
    AS is_there`.execute(db)
  return rows[0]!.isThere
}
