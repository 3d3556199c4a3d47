import type { Checkout } from '../checkout/context.server.ts'
import { type HandledEvent, handlePaymentEvent } from '../checkout/reconcile.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { handlePayout } from '../payments/payouts/send.server.ts'
import type { Provider } from '../payments/provider.ts'
import { closeEvent, postponeEvent, takeEvent } from '../payments/webhooks.server.ts'
import { handleDispute } from './disputes/dispute.server.ts'
import { handleReversal } from './disputes/reversal.server.ts'
import { adoptRefund } from './refunds/refund.server.ts'

export const eventJobs = (checkout: Checkout): Job[] => [
  {
    name: 'webhook',
    pool: 'money',
    run: ({ provider = '', eventId = '' }) => processWebhook(checkout, provider, eventId),
  },
]

export async function processWebhook(checkout: Checkout, provider: string, eventId: string): Promise<void> {
  const body = await takeEvent(checkout.db, provider, eventId)
  if (body === undefined) return
  const handled = await handleEvent(checkout, checkout.providers.named(provider), body)
  if (handled === 'busy') await postponeEvent(checkout.db, provider, eventId)
  else await closeEvent(checkout.db, provider, eventId, handled.error)
}

async function handleEvent(checkout: Checkout, provider: Provider, body: string): Promise<HandledEvent> {
  const subject = provider.subjectOf(body)
  if (!subject) return { error: 'about no payment of ours' }
  if (subject.about === 'payout') return { error: await handlePayout(checkout.payouts, provider.name, subject) }
  if (subject.about === 'refund') return { error: await adoptRefund(checkout, provider, subject) }
  if (subject.about === 'reversal') return { error: await handleReversal(checkout, provider, subject) }
  if (subject.about === 'dispute') return { error: await handleDispute(checkout, provider, subject) }
  return await handlePaymentEvent(checkout, provider, subject)
}
