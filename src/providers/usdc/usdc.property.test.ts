import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFIRMATIONS, hasAnvil } from '../../../test/chain/chain.ts'
import { openUsdcShop, type UsdcOrder, type UsdcShop } from '../../../test/chain/usdcShop.ts'
import { cancelOrder } from '../../checkout/checkout.contract.ts'
import { findViolations, INVARIANTS } from '../../audit/faults.server.ts'
import { centsOf } from './units.rules.ts'

// Random transfers, reorganisations, expiries and scans. Afterwards the ledger equals the chain, completed orders hold
// exactly their price, and unclaimed money equals the open exceptions.

const which = fc.integer({ min: 0, max: 1 })
const units = fc.oneof(
  fc.constantFrom(10_000_000, 5_000_000, 4_000_000, 6_000_000),
  fc.integer({ min: 1, max: 12_000_000 }),
)
const Step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), which, units }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fake' as const), which, units }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fork' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which }) },
)
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

describe.skipIf(!hasAnvil)('USDC with random events', () => {
  let stage: UsdcShop
  beforeAll(async () => {
    stage = await openUsdcShop()
  })
  afterAll(() => stage?.close())

  async function take(step: Step, orders: UsdcOrder[], forks: (() => Promise<void>)[]) {
    const { chain } = stage
    const order = orders['which' in step ? step.which : 0]!
    if (step.kind === 'send') await chain.send(order.address, step.units)
    if (step.kind === 'fake') await chain.send(order.address, step.units, chain.otherToken)
    if (step.kind === 'mine') await chain.mine(step.blocks)
    if (step.kind === 'look') await stage.look()
    // at most one fork: undoing one also drops forks made after it
    if (step.kind === 'fork' && forks.length === 0) forks.push(await chain.fork())
    if (step.kind === 'undo') await forks.pop()?.()
    if (step.kind === 'expire') await order.expire()
    // rejected while the payment is in progress
    if (step.kind === 'cancel')
      await order.buyer.call(cancelOrder, { id: order.orderId }).catch((error: { status?: number }) => {
        if (error.status !== 409) throw error
      })
  }

  test('ends with a ledger that equals the confirmed transfers', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const orders = [await stage.order(), await stage.order()]
        const forks: (() => Promise<void>)[] = []
        for (const step of steps) await take(step, orders, forks)
        // confirm all blocks and run all jobs
        await stage.chain.mine(CONFIRMATIONS)
        await stage.look()
        for (const order of orders) await order.reconcile()
        for (const order of orders) await order.expire()
        await stage.look()
        for (const order of orders) {
          const status = await order.status()
          const held = centsOf(await stage.chain.balanceOf(order.address))
          const ledger = await order.ledger()
          expect(ledger['provider:usdc:sandbox'] ?? 0).toBe(held)
          expect(['completed', 'failed']).toContain(status)
          // unclaimed money equals the sum of the open exceptions
          const open = (await order.exceptions()).filter(({ state }) => state !== 'done')
          const owed = open.reduce(
            (sum, { kind, amountCents }) => sum + (kind === 'reorganised' ? -1 : 1) * amountCents,
            0,
          )
          expect(0 - (ledger['usdc:unclaimed'] ?? 0)).toBe(owed)
          expect(held - owed).toBe(status === 'completed' ? 1000 : 0)
          expect(open.length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 12 },
    )
    expect(await findViolations(stage.shop.database.pool, INVARIANTS)).toEqual([])
  })
})
