import { createId, type NewEvent } from './store.server.ts'
import type { Sandbox } from './call.server.ts'

const SUBJECTS = {
  'CHECKOUT.ORDER.APPROVED': { resource: 'checkout-order', summary: 'An order has been approved by buyer' },
  'PAYMENT.CAPTURE.COMPLETED': { resource: 'capture', summary: 'Payment completed' },
  'PAYMENT.CAPTURE.DENIED': { resource: 'capture', summary: 'Payment denied' },
  'PAYMENT.CAPTURE.REFUNDED': { resource: 'refund', summary: 'Refund completed' },
  'VAULT.PAYMENT-TOKEN.CREATED': { resource: 'payment_token', summary: 'A payment token has been created.' },
  'VAULT.PAYMENT-TOKEN.DELETED': { resource: 'payment_token', summary: 'A payment token has been deleted.' },
} as const
export type EventType = keyof typeof SUBJECTS

/** An event to write in the same transaction as what it tells of. */
export function createEvent({ base, faults }: Sandbox, type: EventType, resource: { id: string }): NewEvent {
  const id = `WH-${createId()}-${createId()}`
  const { resource: resourceType, summary } = SUBJECTS[type]
  const self = `${base}/v1/notifications/webhooks-events/${id}`
  const body = asciiJson({
    id,
    event_version: '1.0',
    create_time: new Date().toISOString(),
    resource_type: resourceType,
    resource_version: '2.0',
    event_type: type,
    summary,
    resource,
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/resend`, rel: 'resend', method: 'POST' },
    ],
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

/** Letters outside ASCII are escaped, so a receiver that parses and writes the text again has other bytes than were signed. */
const asciiJson = (value: unknown) =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
