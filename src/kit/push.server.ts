import { sql } from 'kysely'
import type { Db, Tx } from './database.server.ts'

export type Push = {
  /** One for each event ('order:<order id>'): the same key is pushed once to each browser while it waits. */
  key: string
  title: string
  body: string
  /** A path of the shop. */
  url: string
}

/** Nobody knows any more whose browsers they are: none of them is told anything from now on, not even what waits. */
export async function forgetBrowsersOf(tx: Tx, userId: string) {
  await tx.deleteFrom('pushSubscriptions').where('userId', '=', userId).execute()
}

/** Enqueues a notification for every browser of the account that asked for them, in the caller's transaction. */
export async function sendPush(tx: Tx | Db, userId: string, { key, ...message }: Push) {
  await sql`SELECT graphile_worker.add_job('push', json_build_object('subscriptionId', id, 'message', ${JSON.stringify(message)}::text),
    job_key => ${`push:${key}:`}::text || id, max_attempts => 6) FROM push_subscriptions WHERE user_id = ${userId}`.execute(
    tx,
  )
}
