import { z } from 'zod'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { createId, lockEntry } from '../store.server.ts'
import { callsOf, readOr404, type Sandbox } from './call.server.ts'
import { movementId } from './charges.server.ts'
import { createEvent } from './events.server.ts'
import { Metadata, readForm, whole } from './form.server.ts'
import { listForm, listOf } from './list.server.ts'
import { notFound, Refusal } from './refusal.server.ts'
import { type Charge, entryOf, movementOf, now, type Refund } from './wire.server.ts'

const CreateRefund = z.strictObject({
  charge: z.string().max(64),
  amount: whole(1).optional(),
  metadata: Metadata,
})

export function refundRoutes(sandbox: Sandbox): RawRoute[] {
  const { read, write } = callsOf(sandbox)
  const { pool } = sandbox
  return [
    write('POST /v1/refunds', 'Gives money of a charge back.', async ({ form }, client) => {
      const { charge: chargeId, amount, metadata } = readForm(CreateRefund, form)
      const charge = await lockEntry<Charge>(client, 'stripe_charge', chargeId)
      if (charge?.status !== 'succeeded') throw notFound('charge', chargeId)
      if (charge.disputed)
        throw new Refusal(400, { code: 'charge_disputed', message: `Charge ${chargeId} has been charged back.` })
      const left = charge.amount - charge.amount_refunded
      if (left <= 0)
        throw new Refusal(400, {
          code: 'charge_already_refunded',
          message: `Charge ${chargeId} has already been refunded.`,
        })
      const cents = amount ?? left
      if (cents > left)
        throw new Refusal(400, {
          param: 'amount',
          message: `Refund amount (${cents}) is greater than unrefunded amount on charge (${left}).`,
        })
      const refund: Refund = {
        id: `re_${createId(24)}`,
        object: 'refund',
        amount: cents,
        charge: chargeId,
        currency: charge.currency,
        payment_intent: charge.payment_intent,
        metadata,
        status: 'succeeded',
        created: now(),
      }
      const refunded = charge.amount_refunded + cents
      const after: Charge = { ...charge, amount_refunded: refunded, refunded: refunded >= charge.amount }
      return {
        body: refund,
        entries: [
          entryOf(refund, charge._ref),
          entryOf(after, charge._ref),
          movementOf(movementId(), charge._ref, refund, -cents),
        ],
        events: [createEvent(sandbox, 'refund.created', refund)],
      }
    }),

    read('GET /v1/refunds/:id', 'A refund.', ({ params }) => readOr404(pool, params.id, 'refund')),

    read('GET /v1/refunds', 'Lists refunds, newest first.', ({ form }) =>
      listOf(pool, 'stripe_refund', '/v1/refunds', listForm(form, ['charge', 'payment_intent'])),
    ),
  ]
}
