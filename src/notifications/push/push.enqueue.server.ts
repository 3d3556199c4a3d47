import { sql } from 'kysely'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import type { Db, Tx } from '../../kit/database.server.ts'

export type Push = {
  key: string
  title: string
  body: string
  url: string
}

/** Condition on push_subscriptions: the browser's session exists and has not expired. */
export const isSignedIn = sql<boolean>`EXISTS (SELECT FROM sessions s
  WHERE s.id = session_id AND s.expires_at > now() AND s.created_at > now() - interval '14 days')`

export async function sendPush(tx: Tx | Db, userId: string, { key, title, body, url }: Push) {
  const message = { title: isolateRtl(title), body: isolateRtl(body), url }
  await sql`SELECT graphile_worker.add_job('push', json_build_object('subscriptionId', id, 'message', ${JSON.stringify(message)}::text),
    queue_name => ${`push:${userId}`}::text, job_key => ${`push:${key}:`}::text || id, max_attempts => 6)
    FROM push_subscriptions WHERE user_id = ${userId} AND ${isSignedIn}`.execute(tx)
}
