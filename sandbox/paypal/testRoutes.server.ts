import { z } from 'zod'
import { Failure } from '../../src/kit/failure.ts'
import { handlePublic, handleRaw, type Route } from '../../src/kit/handle.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { readCaptures } from '../store.server.ts'
import type { Sandbox } from './call.server.ts'
import type { SandboxCapture } from '../capture.contract.ts'
import { listCaptures, listPayoutItems, setFaults } from './contract.ts'
import { DISPUTE_ENDINGS, endDispute, openDispute } from './disputes.server.ts'
import { choose } from './orders.server.ts'
import { movePayout, PAYOUT_CHOICES, readPayouts } from './payouts.server.ts'
import { Refusal } from './refusals.server.ts'
import { hasCredentials } from './tokens.server.ts'
import type { Capture, Payer } from './wire.server.ts'

const CHOICES = { approve: 'pay', decline: 'decline', cancel: 'cancel' } as const

/** In production, faults and captures need credentials. Approving an order needs only its id. */
export function testRoutes(sandbox: Sandbox, isProduction: boolean): Route[] {
  const admit = (authorization: string | undefined) => {
    if (isProduction && !hasCredentials(sandbox.keys, authorization)) throw new Failure(401, 'Unauthorized')
  }
  return [
    ...(Object.keys(CHOICES) as (keyof typeof CHOICES)[]).map((choice) =>
      handleRaw(
        `POST /sandbox/paypal/test/orders/:id/${choice}`,
        {
          access: 'public',
          about: `Chooses ${choice} for the payer (another one with ?payer=, &country=, &unverified=1).`,
        },
        async ({ params, query }) => {
          await choose(sandbox, params.id, CHOICES[choice], { isKeeping: true, payer: payerIn(query) })
          return { status: 204 }
        },
      ),
    ),

    ...(Object.keys(PAYOUT_CHOICES) as (keyof typeof PAYOUT_CHOICES)[]).map((choice) =>
      handleRaw(
        `POST /sandbox/paypal/test/payouts/:id/${choice}`,
        { access: 'public', about: `Makes the sandbox ${choice} a payout.` },
        async ({ params, header }) => {
          admit(header('authorization'))
          await withFailures(movePayout(sandbox, params.id, choice))
          return { status: 204 }
        },
      ),
    ),

    handleRaw(
      'POST /sandbox/paypal/test/captures/:id/dispute',
      {
        access: 'public',
        about: 'Opens a dispute of a capture (?cents= for a part of it, ?reason=, ?stage=INQUIRY). Returns its id.',
      },
      async ({ params, query, header }) => {
        admit(header('authorization'))
        const id = await withFailures(openDispute(sandbox, params.id, openingIn(query)))
        return { status: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id }) }
      },
    ),

    ...(Object.keys(DISPUTE_ENDINGS) as (keyof typeof DISPUTE_ENDINGS)[]).map((choice) =>
      handleRaw(
        `POST /sandbox/paypal/test/disputes/:id/${choice}`,
        { access: 'public', about: `Ends a dispute: ${choice} (?cents= for the part that the buyer gets).` },
        async ({ params, query, header }) => {
          admit(header('authorization'))
          await withFailures(endDispute(sandbox, params.id, choice, openingIn(query).cents))
          return { status: 204 }
        },
      ),
    ),

    handlePublic(listPayoutItems, async (_, { header }) => {
      admit(header('authorization'))
      const items = await readPayouts(sandbox)
      return items.map(({ id, senderItemId, receiver, cents, status }) => ({
        ...{ id, senderItemId, receiver, status },
        amount: toDecimal(cents),
      }))
    }),

    handlePublic(setFaults, async (faults, { header }) => {
      admit(header('authorization'))
      await sandbox.faults.set(faults)
      return faults
    }),

    handlePublic(listCaptures, async (_, { header, pool }) => {
      admit(header('authorization'))
      return (await readCaptures<Capture>(pool)).map(summaryOf)
    }),
  ]
}

const withFailures = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof Refusal ? new Failure(error.status, error.message) : error
  })

const DisputeQuery = z.object({
  cents: z.coerce.number().int().min(1).optional(),
  reason: z
    .string()
    .regex(/^[A-Z_]{1,100}$/)
    .default('MERCHANDISE_OR_SERVICE_NOT_RECEIVED'),
  stage: z.enum(['INQUIRY', 'CHARGEBACK']).optional(),
})

function openingIn(query: URLSearchParams) {
  const read = DisputeQuery.safeParse(Object.fromEntries(query))
  if (!read.success) throw new Failure(400, 'cents: a whole number; reason: letters A to Z and _.')
  return read.data
}

const PayerQuery = z.object({
  payer: z.string().regex(/^[A-Z0-9]{1,20}$/),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  unverified: z.literal('1').optional(),
})

function payerIn(query: URLSearchParams): Payer | undefined {
  if (!query.has('payer')) return undefined
  const read = PayerQuery.safeParse(Object.fromEntries(query))
  if (!read.success) throw new Failure(400, 'payer: letters A to Z and digits; country: two letters; unverified: 1.')
  const { payer: payerId, country, unverified } = read.data
  return { payerId, email: `${payerId.toLowerCase()}@sandbox.example`, country, isVerified: !unverified }
}

const summaryOf = ({ cents, refundedCents, createTime, ...capture }: Capture) =>
  ({
    ...capture,
    amount: toDecimal(cents),
    refunded: toDecimal(refundedCents),
    createdAt: createTime,
  }) as SandboxCapture
