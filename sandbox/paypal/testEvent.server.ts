import { setTimeout as pause } from 'node:timers/promises'
import { createId, inBooks, writeBooks } from './store.server.ts'
import type { Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'

const WAIT_MS = 5_000
const LOOK_MS = 50

/**
 * Sends the shop's webhook a signed event about an order that nobody placed, the way every event goes out. Answers the
 * status that came back, why none did, or null when nothing came back in time.
 */
export async function rehearseWebhook(sandbox: Sandbox): Promise<{ eventId: string; answer: string | null }> {
  const resource = { id: `TEST${createId(13)}`, intent: 'CAPTURE', status: 'APPROVED' }
  // whatever faults are on, what was asked for is sent
  const event = { ...createEvent(sandbox, 'CHECKOUT.ORDER.APPROVED', resource), deliveries: 1, dueInMs: 0 }
  await inBooks(sandbox.pool, (client) => writeBooks(client, [], [event]))
  sandbox.wakeDeliveries()
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await pause(LOOK_MS)) {
    const { rows } = await sandbox.pool.query<{ answer: string | null }>(
      'SELECT last_answer AS answer FROM sandbox.events WHERE id = $1',
      [event.id],
    )
    if (rows[0]?.answer) return { eventId: event.id, answer: rows[0].answer }
  }
  return { eventId: event.id, answer: null }
}
