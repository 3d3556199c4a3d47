import { z } from 'zod'
import { Failure } from '../../src/kit/failure.ts'
import { handlePublic, handleRaw, type Route } from '../../src/kit/handle.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { isSameSecret } from '../../src/kit/secret.server.ts'
import type { SandboxCapture } from '../capture.contract.ts'
import type { Reader } from '../store.server.ts'
import type { Sandbox } from './call.server.ts'
import { listCaptures, setFaults } from './contract.ts'
import { type DisputeStep, stepDispute } from './disputes.server.ts'
import { choose } from './sessions.server.ts'
import type { Charge } from './wire.server.ts'

const NUMBERS = { approve: '4242424242424242', decline: '4000000000000002' }
const STEPS: DisputeStep[] = ['dispute', 'win', 'lose']

/** In production, faults, captures and disputes need the key. Paying a session needs only its id. */
export function testRoutes(sandbox: Sandbox, isProduction: boolean): Route[] {
  const admit = (authorization = '') => {
    if (isProduction && !isSameSecret(authorization, `Bearer ${sandbox.keys.secretKey}`))
      throw new Failure(401, 'Unauthorized')
  }
  return [
    ...(['approve', 'decline'] as const).map((choice) =>
      handleRaw(
        `POST /sandbox/stripe/test/orders/:id/${choice}`,
        {
          access: 'public',
          about: `Chooses ${choice} for the payer (?payer= and &country= name another one), who saves the card (not with ?keep=0).`,
        },
        async ({ params, query }) => {
          await choose(sandbox, params.id, {
            kind: 'card',
            number: NUMBERS[choice],
            payer: payerIn(query),
            isKept: query.get('keep') !== '0',
          })
          return { status: 204 }
        },
      ),
    ),
    handleRaw(
      'POST /sandbox/stripe/test/orders/:id/cancel',
      { access: 'public', about: 'Leaves the page without paying, which the provider does not hear of.' },
      async () => ({ status: 204 }),
    ),

    ...STEPS.map((step) =>
      handleRaw(
        `POST /sandbox/stripe/test/orders/:id/${step}`,
        { access: 'public', about: `A dispute about a payment: ${step}. Answers the id of the dispute.` },
        async ({ params, header }) => {
          admit(header('authorization'))
          const id = await stepDispute(sandbox, params.id, step)
          return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id }) }
        },
      ),
    ),

    handlePublic(setFaults, async (faults, { header }) => {
      admit(header('authorization'))
      await sandbox.faults.set(faults)
      return faults
    }),

    handlePublic(listCaptures, async (_, { header, pool }) => {
      admit(header('authorization'))
      return readCaptures(pool)
    }),
  ]
}

export async function readCaptures(on: Reader): Promise<SandboxCapture[]> {
  const { rows } = await on.query<{ body: Charge }>(
    `SELECT body FROM sandbox.records WHERE kind = 'stripe_charge' AND body->>'status' = 'succeeded' ORDER BY created_at, id`,
  )
  return rows.map(({ body: { id, amount, amount_refunded, currency, metadata, refunded, created, _ref } }) => ({
    id,
    orderId: _ref,
    amount: toDecimal(amount),
    currency: currency.toUpperCase(),
    customId: metadata.payment_id ?? null,
    invoiceId: null,
    status: refunded ? 'REFUNDED' : amount_refunded > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED',
    refunded: toDecimal(amount_refunded),
    createdAt: new Date(created * 1000).toISOString(),
  }))
}

const PayerQuery = z.object({
  payer: z.string().regex(/^[A-Z0-9]{1,20}$/),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
})

function payerIn(query: URLSearchParams) {
  if (!query.has('payer')) return undefined
  const read = PayerQuery.safeParse(Object.fromEntries(query))
  if (!read.success) throw new Failure(400, 'payer: letters A to Z and digits; country: two letters.')
  return { owner: read.data.payer, country: read.data.country }
}
