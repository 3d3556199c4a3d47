import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../src/kit/database.server.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { createId, ensureSchema, lockEntry } from '../store.server.ts'
import { callsOf, readOr404, type Sandbox } from './call.server.ts'
import { notFound, Refusal } from './refusal.server.ts'
import { type Behavior, type Card, entryOf, now } from './wire.server.ts'
import { firstOf, required } from '../../src/kit/values/required.ts'

// Cards and customers. Accepts only test numbers and stores only their last four digits.

export const TEST_CARDS: { number: string; does: Behavior; says: string }[] = [
  { number: '4242424242424242', does: 'pays', says: 'pays' },
  { number: '4000002500003155', does: 'asks', says: 'asks for 3-D Secure; once saved it pays by itself' },
  { number: '4000002760003184', does: 'asks_always', says: 'asks for 3-D Secure every time' },
  { number: '4000000000000002', does: 'declines', says: 'is declined' },
  { number: '4000000000009995', does: 'lacks_funds', says: 'has insufficient funds' },
  { number: '4000000000000259', does: 'is_disputed', says: 'pays, and the payment is disputed' },
]

/** Returns the card of a test number, or undefined. `owner` makes the card unique to one person. */
export function cardOf(number: string, { owner = '', country = 'US' } = {}): Card | undefined {
  const known = TEST_CARDS.find((card) => card.number === number)
  if (!known) return undefined
  // All test payments use these cards. With a fingerprint, members would look like one person to the shop's rules.
  const fingerprint = owner ? createHash('sha256').update(`${known.does}:${owner}`).digest('hex').slice(0, 16) : null
  return {
    id: `pm_${createId(24)}`,
    object: 'payment_method',
    type: 'card',
    card: { brand: 'visa', last4: number.slice(-4), country, fingerprint },
    customer: null,
    allow_redisplay: 'unspecified',
    created: now(),
    _behavior: known.does,
  }
}

export const createCustomer = () => ({ id: `cus_${createId(14)}`, object: 'customer', created: now(), livemode: false })

export function cardRoutes({ pool, ...rest }: Sandbox): RawRoute[] {
  const { read, write } = callsOf({ pool, ...rest })
  return [
    read('GET /v1/payment_methods/:id', 'A card.', ({ params }) => readOr404(pool, params.id, 'card')),

    write('POST /v1/payment_methods/:id/detach', 'Forgets a saved card.', async ({ params }, client) => {
      const card = await lockEntry<Card>(client, 'stripe_card', params.id)
      if (!card) throw notFound('PaymentMethod', params.id)
      if (card.customer === null)
        throw new Refusal(400, { message: 'The payment method you provided is not attached to a customer.' })
      const detached = { ...card, customer: null }
      return { body: detached, entries: [entryOf(detached, card.id)] }
    }),

    read('GET /v1/customers/:id', 'A customer.', ({ params }) => readOr404(pool, params.id, 'customer')),
  ]
}

/** Saves a card as if its owner had paid with it. The same e-mail address and number return the same card. */
export async function saveSandboxCard(
  db: Db | Tx,
  { email, number = firstOf(TEST_CARDS).number }: { email: string; number?: string },
): Promise<{ vaultId: string; label: string }> {
  const mark = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const customer = { ...createCustomer(), id: `cus_${mark.slice(0, 14)}` }
  const given = required(cardOf(number, { owner: email.toLowerCase() }), 'the card')
  const card: Card = {
    ...given,
    id: `pm_${mark.slice(0, 20)}${number.slice(-4)}`,
    customer: customer.id,
    allow_redisplay: 'always',
  }
  await ensureSchema((text) => sql.raw(text).execute(db))
  for (const { kind, id, body } of [entryOf(customer, customer.id), entryOf(card, card.id)])
    await sql`INSERT INTO sandbox.records (kind, id, body) VALUES (${kind}, ${id}, ${JSON.stringify(body)}::json)
      ON CONFLICT DO NOTHING`.execute(db)
  return { vaultId: `${customer.id}.${card.id}`, label: `Visa ending in ${card.card.last4}` }
}
