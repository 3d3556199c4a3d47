import { sql } from 'kysely'
import type { Database } from '../kit/database.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import type { MissedEvent, Provider } from './provider.ts'
import { receiveEvent } from './webhooks.server.ts'
import { readReplayWindow } from './webhooks.statements.server.ts'
import { only, required } from '../kit/values/required.ts'

// Webhooks get lost while a shop is down or its address is wrong. Reads them from the provider's event log.

type Inbox = Pick<Database, 'db' | 'pool'>

const HOUR_MS = 3600_000

/** Each node polls a minute after its start, then every hour. */
export function replayJobs(database: Inbox, providers: Provider[]): Job[] {
  let lookedAt = -HOUR_MS
  const run = async () => {
    if (performance.now() - lookedAt < HOUR_MS) return
    lookedAt = performance.now()
    await replayMissed(database, providers)
  }
  return [{ name: 'replay_events', everySeconds: 60, run }]
}

/** Stores missed events in the inbox. May run on several nodes at once. */
export async function replayMissed(database: Inbox, providers: Provider[]): Promise<void> {
  await Promise.all(
    providers.map(async (provider) => {
      if (!provider.missed) return
      try {
        await replay(database, provider)
      } catch (error) {
        log.warn('the events of a provider could not be read; retrying in an hour', { provider: provider.name, error })
      }
    }),
  )
}

async function replay({ db, pool }: Inbox, provider: Provider) {
  const { since, until } = only(await readReplayWindow(db, { provider: provider.name }))
  const missed = await required(provider.missed, 'the event log of the provider')(since)
  if (missed.kind === 'unknown') throw new Error(missed.why)
  const lost = await withoutKnown(db, provider, missed.events)
  for (const event of lost) await receiveEvent(pool, provider, event)
  if (lost.length > 0) log.warn('webhooks had not arrived', { provider: provider.name, events: lost.length })
  await db
    .insertInto('eventReplays')
    .values({ provider: provider.name, readUntil: until })
    .onConflict((conflict) =>
      conflict
        .column('provider')
        .doUpdateSet({ readUntil: sql`greatest(event_replays.read_until, excluded.read_until)` }),
    )
    .execute()
}

async function withoutKnown(db: Database['db'], provider: Provider, events: MissedEvent[]): Promise<MissedEvent[]> {
  if (events.length === 0) return []
  const rows = await db
    .selectFrom('webhookEvents')
    .select('eventId')
    .where('provider', '=', provider.name)
    .where(
      'eventId',
      'in',
      events.map(({ id }) => id),
    )
    .execute()
  const known = new Set(rows.map(({ eventId }) => eventId))
  return events.filter(({ id }) => !known.has(id))
}
