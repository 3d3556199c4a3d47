import fc from 'fast-check'
import { expect, test } from 'vitest'
import { give, wrongBooks } from '../../../test/credit.ts'
import { captureOf, dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { handleRefund, refundAtDashboard } from '../../../test/payment.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { Failure } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { getOrder, type Order, sumOrders } from '../../purchases/orders.contract.ts'
import { receiptRows } from '../../purchases/receipt.rules.ts'
import { expectToAddUp, shownRest } from '../../../test/receiptSums.ts'
import { refundOrder } from './refund.server.ts'
import { getRefundOffer, takeRefund } from './selfRefund.contract.ts'

// Random refunds by staff, buyer and dashboard, and random disputes. The ledger stays correct.

const open = openShopForTests({ BONUS_PERCENT: '15', FEE_PERCENT: '7.5', FEE_CENTS: '3' })

const Step = fc.oneof(
  fc.record({ kind: fc.constant('part' as const), cents: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ kind: fc.constant('rest' as const) }),
  fc.record({ kind: fc.constant('line' as const), at: fc.nat(2), copies: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('self' as const), at: fc.nat(2) }),
  fc.record({ kind: fc.constant('dashboard' as const), cents: fc.integer({ min: 1, max: 900 }) }),
  fc.record({
    kind: fc.constant('dispute' as const),
    cents: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined }),
    isWon: fc.boolean(),
    /** Another refund is requested at the same time. */
    isBusy: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('run' as const) }),
)
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

/** A rejected step changes nothing. */
const orRefused = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Failure) || ![404, 409].includes(error.status)) throw error
  })

async function take(step: Step, buyer: Person, order: Order) {
  const { checkout } = open.shop
  const lineAt = (i: number) => order.lines[i % order.lines.length]!
  const ask = (cents?: number) => orRefused(refundOrder(checkout, order.id, 'asked for', cents))
  if (step.kind === 'part') await ask(step.cents)
  if (step.kind === 'rest') await ask()
  if (step.kind === 'line') {
    const lines = [{ orderLineId: lineAt(step.at).id, quantity: step.copies }]
    await orRefused(refundOrder(checkout, order.id, 'asked for', undefined, { lines }))
  }
  if (step.kind === 'self') {
    const offer = await buyer.call(getRefundOffer, { id: order.id }).catch(() => null)
    const total = offer?.lines.find(({ id }) => id === lineAt(step.at).id)?.amount
    const asked = { id: order.id, lineIds: [lineAt(step.at).id], reason: 'mistake' as const, note: '' }
    if (total) await orRefused(buyer.call(takeRefund, { ...asked, total }))
  }
  if (step.kind === 'dashboard') {
    const { captureId } = await captureOf(open.shop, order.id)
    // the provider rejects more than is left
    const ref = await refundAtDashboard(open.shop, captureId, step.cents).catch(() => null)
    if (ref) await handleRefund(open.shop, captureId, ref)
  }
  if (step.kind === 'dispute') {
    const { end } = await dispute(open.shop, order.id, step.cents)
    if (step.isBusy) await ask(100)
    await runRefunds(open.shop)
    await end(step.isWon ? 'win' : 'lose')
  }
  if (step.kind === 'run') await runRefunds(open.shop)
}

/** Checks the order after each step. */
async function check(buyer: Person, order: Order) {
  expect(await wrongBooks(open.shop)).toEqual([])
  const { rows } = await open.shop.database.pool.query<{
    gross: number
    back: number
    copies: number
    all: number
    opens: boolean
  }>(
    `SELECT e.gross_cents::int AS gross, e.returned_cents::int AS back, e.returned_quantity AS copies, l.quantity AS all,
       n.revoked_at IS NULL AS opens
     FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN entitlements n ON n.order_line_id = l.id
     WHERE e.order_id = $1 ORDER BY l.position`,
    [order.id],
  )
  const read = await buyer.call(getOrder, { id: order.id })
  const { status, lines } = read
  const receipt = receiptRows(read)
  expectToAddUp(receipt)
  // the profile and the receipt show one amount
  if (status === 'completed') expect(toCents((await buyer.call(sumOrders, {})).spent)).toBe(shownRest(receipt))
  rows.forEach(({ gross, back, copies, all, opens }, i) => {
    expect(back).toBeLessThanOrEqual(gross)
    // only lines that were not refunded are accessible
    expect(opens).toBe(status === 'completed' && copies < all)
    expect(lines[i]!.delivery !== null).toBe(opens)
  })
  const left = rows.reduce((sum, { gross, back }) => sum + gross - back, 0)
  expect(left === 0).toBe(status === 'refunded')
}

test(
  'never refunds more than captured, keeps the ledger at zero, and revokes exactly the refunded lines and shares',
  { timeout: 180_000 },
  async () => {
    const codes = () => Array.from({ length: 200 }, () => crypto.randomUUID())
    const goods = [
      { product: await addProduct(open.shop, { price: '3.33', codes: codes() }), quantity: 3 },
      { product: await addProduct(open.shop, { price: '7.01' }) },
      { product: await addProduct(open.shop, { price: '0.50' }) },
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(Step, { minLength: 2, maxLength: 9 }),
        fc.constantFrom(undefined, '5.00', '12.00'),
        async (steps, credit) => {
          const buyer = await open.shop.join()
          if (credit) await give(open.shop, buyer, Number(credit) * 100)
          const order = await buyMany(open.shop, buyer, goods, credit)
          for (const step of steps) {
            await take(step, buyer, order)
            await runRefunds(open.shop)
            await check(buyer, order)
          }
        },
      ),
      { numRuns: 30 },
    )
  },
)
