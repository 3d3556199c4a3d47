import { setTimeout as pause } from 'node:timers/promises'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { createId, inTransaction, type NewEvent, writeEffects } from '../store.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { readList, listForm } from './list.server.ts'
import { now } from './wire.server.ts'

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.succeeded'
  | 'refund.created'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'

export function createEvent({ faults }: Pick<Sandbox, 'faults'>, type: EventType, object: { id: string }): NewEvent {
  const id = `evt_${createId(24)}`
  const shown = JSON.parse(
    JSON.stringify(object, (key, value: unknown) => (key.startsWith('_') ? undefined : value)),
  ) as object
  const body = JSON.stringify({
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: now(),
    data: { object: shown },
    livemode: false,
    pending_webhooks: 1,
    type,
  })
  const fault = faults.roll('webhook_lost', 'webhook_double', 'webhook_late')
  return {
    id,
    type,
    resourceId: object.id,
    body,
    deliveries: fault === 'webhook_lost' ? 0 : fault === 'webhook_double' ? 2 : 1,
    dueInMs: fault === 'webhook_late' ? faults.latencyMs() : 0,
  }
}

export const eventRoutes = (sandbox: Sandbox): RawRoute[] => [
  callsOf(sandbox).read('GET /v1/events', 'Lists events, newest first.', ({ form }) =>
    readList(
      sandbox.pool,
      `SELECT id, body::json AS body, created_at, extract(epoch FROM created_at) AS created FROM sandbox.events
       WHERE starts_with(id, 'evt_')`,
      '/v1/events',
      listForm(form, ['type']),
    ),
  ),
]

const WAIT_MS = 5_000
const POLL_MS = 50

export async function sendTestEvent(sandbox: Sandbox): Promise<{ eventId: string; answer: string | null }> {
  const session = { id: `cs_test_${createId(24)}`, object: 'checkout.session', metadata: {} }
  const event = { ...createEvent(sandbox, 'checkout.session.completed', session), deliveries: 1, dueInMs: 0 }
  await inTransaction(sandbox.pool, (client) => writeEffects(client, [], [event]))
  sandbox.wakeDeliveries()
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await pause(POLL_MS)) {
    const { rows } = await sandbox.pool.query<{ answer: string | null }>(
      'SELECT last_answer AS answer FROM sandbox.events WHERE id = $1',
      [event.id],
    )
    if (rows[0]?.answer) return { eventId: event.id, answer: rows[0].answer }
  }
  return { eventId: event.id, answer: null }
}
