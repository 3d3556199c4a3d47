import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'

export type Push = {
  /** One for each event ('order:<order id>'): the same key is pushed once to each browser while it waits. */
  key: string
  title: string
  body: string
  /** A path of the shop. */
  url: string
}

/**
 * Of a row of push_subscriptions: its browser is signed in. A session that is ended takes the row along; one that has run
 * out lies there until it is swept away.
 */
export const isSignedIn = sql<boolean>`EXISTS (SELECT FROM sessions s
  WHERE s.id = session_id AND s.expires_at > now() AND s.created_at > now() - interval '14 days')`

/** Enqueues a notification for every signed-in browser of the account that asked for them, in the caller's transaction. */
export async function sendPush(tx: Tx | Db, userId: string, { key, ...message }: Push) {
  await sql`SELECT graphile_worker.add_job('push', json_build_object('subscriptionId', id, 'message', ${JSON.stringify(message)}::text),
    job_key => ${`push:${key}:`}::text || id, max_attempts => 6)
    FROM push_subscriptions WHERE user_id = ${userId} AND ${isSignedIn}`.execute(tx)
}
