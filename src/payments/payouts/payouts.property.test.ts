import fc from 'fast-check'
import { expect, test } from 'vitest'
import { earn, passPayoutWait } from '../../../test/earn.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { toCents, toDecimal } from '../../kit/money.ts'
import { approvePayouts, getPayouts, requestPayout, savePayoutDetails } from './payouts.contract.ts'
import { readBatch, sendBatch } from './send.server.ts'
import { type Ending, settleIn } from './settle.server.ts'

// Compares the balance with a model after random sequences of sales, refunds, payout requests and payout results.

const open = openShopForTests({ PAYOUT_APPROVAL_ABOVE: 'none' })
const MINIMUM = 2500

const cents = fc.integer({ min: 1, max: 20_000 })
const Step = fc.oneof(
  fc.record({ kind: fc.constant('sale' as const), cents }),
  fc.record({ kind: fc.constant('refund' as const), cents }),
  fc.record({ kind: fc.constant('request' as const), cents }),
  fc.record({ kind: fc.constant('requests' as const), cents: fc.integer({ min: MINIMUM, max: 8000 }) }),
  fc.record({ kind: fc.constant('pay' as const) }),
  fc.record({ kind: fc.constant('end' as const), as: fc.constantFrom('sent', 'failed', 'returned') }),
)
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

/** `taken` holds the payouts that did not fail or return. */
type Model = { earned: number; taken: Map<string, number> }
const availableIn = ({ earned, taken }: Model) => earned - [...taken.values()].reduce((sum, one) => sum + one, 0)

const isRefused = (error: unknown) => error instanceof Failure && error.status === 409

async function request(seller: Person, model: Model, amount: number) {
  const canBe = amount >= MINIMUM && amount <= availableIn(model)
  const asked = await seller.call(requestPayout, { amount: toDecimal(amount) }).catch((error: unknown) => {
    if (!isRefused(error)) throw error
    return null
  })
  expect(asked !== null, `${amount} of ${availableIn(model)}`).toBe(canBe)
  return asked
}

async function take(step: Step, seller: Person, staff: Person, model: Model) {
  const { checkout, database } = open.shop
  const payouts = checkout.payouts
  const own = async () => (await seller.call(getPayouts, {})).payouts
  const noteTaken = async () => {
    for (const { id, amount, state } of await own())
      if (state === 'failed' || state === 'returned') model.taken.delete(id)
      else model.taken.set(id, toCents(amount))
  }
  if (step.kind === 'sale' || step.kind === 'refund') {
    const change = step.kind === 'sale' ? step.cents : -step.cents
    await earn(open.shop, seller.id, change)
    model.earned += change
  }
  if (step.kind === 'request') {
    await request(seller, model, step.cents)
    await noteTaken()
  }
  if (step.kind === 'requests') {
    const before = availableIn(model)
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, () => seller.call(requestPayout, { amount: toDecimal(step.cents) })),
    )
    const made = asked.filter(({ status }) => status === 'fulfilled').length
    for (const one of asked) if (one.status === 'rejected') expect(isRefused(one.reason)).toBe(true)
    expect(made).toBe(Math.max(0, Math.min(20, Math.floor(before / step.cents))))
    await noteTaken()
  }
  if (step.kind === 'pay') {
    const ids = (await own()).filter(({ state }) => state === 'requested').map(({ id }) => id)
    if (ids.length === 0) return
    await staff.call(approvePayouts, { ids })
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT DISTINCT batch_id AS id FROM payouts WHERE id = ANY ($1)`,
      [ids],
    )
    for (const { id } of rows) {
      await sendBatch(payouts, id)
      await readBatch(payouts, id)
    }
  }
  if (step.kind === 'end') {
    const [some] = await own()
    // staff approve a payout before it can be sent
    if (!some || (some.state === 'requested' && step.as === 'sent')) return
    const ending: Ending =
      step.as === 'sent' ? { state: 'sent' } : { state: step.as as 'failed', cause: 'shop', reason: 'x' }
    // twice, because providers deliver events repeatedly
    for (let i = 0; i < 2; i++) await inTransaction(database.db, (tx) => settleIn(tx, payouts, some.id, ending))
    await noteTaken()
  }
}

test(
  'never pays out more than the available balance, in any sequence and with 20 requests at once',
  { timeout: 120_000 },
  async () => {
    const staff = await open.shop.join({ role: 'finance' })
    let place = 0
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const seller = await open.shop.join()
        const tag = ['', '+failed', '+unclaimed', '+poor'][++place % 4]
        await seller.call(savePayoutDetails, { details: { method: 'paypal', email: `p${place}${tag}@mail.example` } })
        await passPayoutWait(open.shop, seller.id)
        const model: Model = { earned: 0, taken: new Map() }
        for (const step of steps) {
          // rejected details would refuse every request; another test covers them
          await open.shop.database.pool.query('UPDATE payout_details SET rejection = NULL WHERE user_id = $1', [
            seller.id,
          ])
          await take(step, seller, staff, model)
          const { payouts, available } = await seller.call(getPayouts, {})
          for (const { id, state } of payouts) if (state === 'failed' || state === 'returned') model.taken.delete(id)
          expect(available).toBe(toDecimal(availableIn(model)))
        }
      }),
      { numRuns: 25 },
    )
  },
)
