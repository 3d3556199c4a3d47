import { setTimeout as pause } from 'node:timers/promises'
import { handleRaw, type RawRoute } from '../../src/kit/handle.server.ts'
import { createId, inTransaction, type NewEvent, writeEffects } from '../store.server.ts'
import { readClockMs } from '../clock.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { EventQuery, readForm } from './forms.server.ts'
import { CERTIFICATE, CERTIFICATE_NAME } from './keys.server.ts'

const SUBJECTS = {
  'CHECKOUT.ORDER.APPROVED': { resource: 'checkout-order', summary: 'An order has been approved by buyer' },
  'PAYMENT.CAPTURE.COMPLETED': { resource: 'capture', summary: 'Payment completed' },
  'PAYMENT.CAPTURE.DENIED': { resource: 'capture', summary: 'Payment denied' },
  'PAYMENT.CAPTURE.REFUNDED': { resource: 'refund', summary: 'Refund completed' },
  'CUSTOMER.DISPUTE.CREATED': { resource: 'dispute', summary: 'A buyer disputes a payment' },
  'CUSTOMER.DISPUTE.UPDATED': { resource: 'dispute', summary: 'A dispute has changed' },
  'CUSTOMER.DISPUTE.RESOLVED': { resource: 'dispute', summary: 'A dispute is decided' },
  'PAYMENT.PAYOUTSBATCH.SUCCESS': { resource: 'payouts', summary: 'A payouts batch is processed' },
  'PAYMENT.PAYOUTS-ITEM.SUCCEEDED': { resource: 'payouts_item', summary: 'A payout is paid' },
  'PAYMENT.PAYOUTS-ITEM.FAILED': { resource: 'payouts_item', summary: 'A payout has failed' },
  'PAYMENT.PAYOUTS-ITEM.UNCLAIMED': { resource: 'payouts_item', summary: 'A payout is not claimed' },
  'PAYMENT.PAYOUTS-ITEM.RETURNED': { resource: 'payouts_item', summary: 'A payout was returned' },
  'PAYMENT.PAYOUTS-ITEM.HELD': { resource: 'payouts_item', summary: 'A payout is held' },
  'VAULT.PAYMENT-TOKEN.CREATED': { resource: 'payment_token', summary: 'A payment token has been created.' },
  'VAULT.PAYMENT-TOKEN.DELETED': { resource: 'payment_token', summary: 'A payment token has been deleted.' },
} as const

export function createEvent({ faults }: Sandbox, type: keyof typeof SUBJECTS, resource: { id: string }): NewEvent {
  const id = `WH-${createId()}-${createId()}`
  const { resource: resourceType, summary } = SUBJECTS[type]
  const body = asciiJson({
    id,
    event_version: '1.0',
    create_time: new Date(readClockMs()).toISOString(),
    resource_type: resourceType,
    resource_version: '2.0',
    event_type: type,
    summary,
    resource,
  })
  const fault = faults.roll('webhook_lost', 'webhook_double', 'webhook_late')
  return {
    id,
    type,
    resourceId: resource.id,
    body,
    deliveries: fault === 'webhook_lost' ? 0 : fault === 'webhook_double' ? 2 : 1,
    dueInMs: fault === 'webhook_late' ? faults.latencyMs() : 0,
  }
}

/** Escapes letters outside ASCII, so that a receiver that serializes the event again gets other bytes. */
const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const eventRoutes = (sandbox: Sandbox): RawRoute[] => [
  handleRaw(
    'GET /sandbox/paypal/v1/notifications/certs/:name',
    { access: 'public', about: "The certificate of the sandbox's webhook signatures.", isFromBrowser: false },
    async ({ params }) =>
      params.name === CERTIFICATE_NAME
        ? { status: 200, headers: { 'content-type': 'application/x-pem-file' }, body: CERTIFICATE }
        : { status: 404, body: '' },
  ),
  callsOf(sandbox).read(
    'GET /v1/notifications/webhooks-events',
    'Lists the events of a time, all or those of one type, newest first.',
    ({ query }) => listEvents(sandbox, query),
  ),
]

async function listEvents({ pool, base }: Sandbox, query: URLSearchParams) {
  const form = readForm(EventQuery, Object.fromEntries(query))
  const { rows } = await pool.query<{ id: string; body: string }>(
    `SELECT id, body FROM sandbox.events
     WHERE created_at BETWEEN $1 AND $2 AND ($3::text IS NULL OR event_type = $3)
       AND ($4::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM sandbox.events WHERE id = $4))
     ORDER BY created_at DESC, id DESC LIMIT $5`,
    [form.start_time, form.end_time, form.event_type, form.after, form.page_size],
  )
  const next = new URLSearchParams(query)
  next.set('after', rows.at(-1)?.id ?? '')
  return {
    events: rows.map(({ body }) => JSON.parse(body) as object),
    count: rows.length,
    links:
      rows.length === form.page_size
        ? [{ href: `${base}/v1/notifications/webhooks-events?${next}`, rel: 'next', method: 'GET' }]
        : [],
  }
}

const WAIT_MS = 5_000
const POLL_MS = 50

export async function sendTestEvent(sandbox: Sandbox): Promise<{ eventId: string; answer: string | null }> {
  const resource = { id: `TEST${createId(13)}`, intent: 'CAPTURE', status: 'APPROVED' }
  const event = { ...createEvent(sandbox, 'CHECKOUT.ORDER.APPROVED', resource), deliveries: 1, dueInMs: 0 }
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
