import { Failure } from '../../src/kit/failure.ts'
import { handlePublic, handleRaw, type Route } from '../../src/kit/handle.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { inBooks, readCaptures, writeBooks } from './store.server.ts'
import type { Sandbox } from './call.server.ts'
import { listCaptures, type SandboxCapture, setFaults } from './contract.ts'
import { type Choice, choose } from './orders.server.ts'
import { hasCredentials } from './tokens.server.ts'
import type { Capture, Payer } from './wire.server.ts'

const CHOICES = { approve: 'pay', decline: 'decline', cancel: 'cancel' } as const

/**
 * Doors for scripts. Whoever knows an order's id may choose for its payer, as in the window. In production faults and
 * captures ask for the sandbox's credentials, because they are about everybody's orders.
 */
export function doorRoutes(sandbox: Sandbox, isProduction: boolean): Route[] {
  const admit = (authorization: string | undefined) => {
    if (isProduction && !hasCredentials(sandbox.keys, authorization)) throw new Failure(401, 'Unauthorized')
  }
  return [
    ...(Object.keys(CHOICES) as (keyof typeof CHOICES)[]).map((door) =>
      handleRaw(
        `POST /sandbox/paypal/test/orders/:id/${door}`,
        {
          access: 'public',
          about: `Test door: the payer (another with ?payer=, &country=, &unverified=1) chooses to ${door}.`,
        },
        async ({ params, query }) => {
          await chooseAndWrite(sandbox, params.id!, CHOICES[door], true, payerIn(query))
          return { status: 204 }
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
      return (await readCaptures<Capture>(pool)).map(summaryOf)
    }),
  ]
}

/** Throws a 404 Failure for an order that is not known, and a 409 for one that is paid. */
export async function chooseAndWrite(sandbox: Sandbox, id: string, choice: Choice, isKeeping: boolean, payer?: Payer) {
  const order = await inBooks(sandbox.pool, async (client) => {
    const chosen = await choose(sandbox, client, id, choice, isKeeping, payer)
    if (!chosen) throw new Failure(404, 'This payment is not known, or it has expired.')
    if (chosen.order.status === 'COMPLETED') throw new Failure(409, 'This payment is complete already.')
    await writeBooks(client, chosen.entries, chosen.events)
    return chosen.order
  })
  sandbox.wakeDeliveries()
  return order
}

/** Somebody else than the sandbox's one buyer, for a rehearsal of what other payers do. */
function payerIn(query: URLSearchParams): Payer | undefined {
  const payerId = query.get('payer')
  if (!payerId) return undefined
  const country = query.get('country')
  if (!/^[A-Z0-9]{1,20}$/.test(payerId) || (country !== null && !/^[A-Z]{2}$/.test(country)))
    throw new Failure(400, 'payer: letters A to Z and digits; country: two letters.')
  return {
    payerId,
    email: `${payerId.toLowerCase()}@sandbox.example`,
    isVerified: query.get('unverified') !== '1',
    ...(country !== null && { country }),
  }
}

const summaryOf = (capture: Capture): SandboxCapture => ({
  id: capture.id,
  orderId: capture.orderId,
  amount: toDecimal(capture.cents),
  currency: capture.currency,
  customId: capture.customId,
  invoiceId: capture.invoiceId,
  status: capture.status as SandboxCapture['status'],
  refunded: toDecimal(capture.refundedCents),
  createdAt: capture.createTime,
})
