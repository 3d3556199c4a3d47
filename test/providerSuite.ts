import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addProduct } from './goods.ts'
import type { Person, TestShop } from './shop.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from '../src/checkout/checkout.contract.ts'
import { processWebhook } from '../src/aftersale/events.server.ts'
import { reconcilePayment } from '../src/checkout/reconcile.server.ts'
import { refundOrder, runRefund } from '../src/aftersale/refunds/refund.server.ts'
import { getOrder } from '../src/purchases/orders.contract.ts'
import { saveWallet } from '../src/payments/wallets.store.server.ts'
import { revokeWallet } from '../src/payments/wallets.server.ts'
import { listWallets, removeWallet } from '../src/payments/wallets.contract.ts'
import { webhookPath } from '../src/payments/webhooks.server.ts'

/** A shop under test, and the actions of the buyer and the provider outside the shop. */
export type ProviderStage = {
  shop: TestShop
  approve: (ref: string) => Promise<void>
  /** The buyer chooses a method that the provider declines. */
  decline: (ref: string) => Promise<void>
  /** Until null, every request fails ('away') or takes effect without an answer ('lost'). */
  setFault: (fault: 'away' | 'lost' | null) => Promise<void>
  /** Changes the provider's report of a captured payment. */
  show: (
    ref: string,
    change: { state?: 'captured' | 'pending' | 'declined'; currency?: string; cents?: number },
  ) => Promise<void>
  /** Returns the money that the provider took for a payment, by the shop's id. */
  takenOf: (paymentId: string) => Promise<{ cents: number; refundedCents: number } | null>
  /** Returns a signed event about a captured payment. */
  eventOf: (ref: string) => Promise<{ id: string; headers: Record<string, string>; body: string }>
  saveMethod: (email: string) => Promise<string>
  /** Carries a refund out as staff do, if the provider cannot send money. */
  sendRefund?: (refundId: string) => Promise<void>
}

type Part = 'declines' | 'lost captures' | 'changes' | 'refund requests' | 'events' | 'saved methods'

/** The parts of the suite that do not apply to a provider, with the reason and the tests that replace them. */
export const LEFT_OUT = {
  paypal: {},
  stripe: {},
  usdc: {
    declines:
      'Nothing is declined: money arrives or does not. Underpaid, late and of another token: usdc.server.test.ts.',
    'lost captures':
      'A capture reads the shop’s own rows and sends no request, so no answer is lost. A killed scan: usdc.server.test.ts, the cursor.',
    changes: 'What arrived keeps its amount and currency. It can vanish: usdc.server.test.ts, a reorganisation.',
    'refund requests':
      'Staff send refunds from their own wallet: no answer is lost and nobody refuses. What they name is verified: usdc.server.test.ts, an exception.',
    events: 'The shop reads the chain itself. Nodes that lie or differ: usdc.server.test.ts, nodes that disagree.',
    'saved methods': 'Only the buyer’s wallet can send. Nothing stands for it.',
  },
} satisfies Record<string, Partial<Record<Part, string>>>

/** The tests that every payment provider passes, through checkout's routes. */
export function describeProvider(
  name: string,
  open: () => Promise<ProviderStage>,
  without: Partial<Record<Part, string>> = {},
) {
  const has = (what: Part) => !(what in without)
  describe(name, () => {
    let stage: ProviderStage
    beforeAll(async () => {
      stage = await open()
    })
    afterAll(() => stage.shop.close())

    const methodOf = () => stage.shop.checkout.providers.main.name
    const paymentOf = (orderId: string) =>
      stage.shop.database.db
        .selectFrom('payments')
        .select(['id', 'status', 'declines'])
        .where('orderId', '=', orderId)
        .executeTakeFirstOrThrow()

    async function start() {
      const { shop } = stage
      const [buyer, product] = [await shop.join(), await addProduct(shop)]
      const items = [{ productId: product.id, quantity: 1 }]
      const { id: ref, orderId } = await buyer.call(startPayment, {
        amount: '10.00',
        currency: 'USD',
        intent: 'capture',
        items,
      })
      const { id } = await paymentOf(orderId)
      const capture = async () => (await buyer.call(capturePayment, { id: ref })).status
      const order = async () => (await buyer.call(getOrder, { id: orderId })).status
      /** Runs the reconciler's job after the lease has expired. */
      const reconcile = async () => {
        const text = `UPDATE payments SET lease_until = now() - interval '1 hour' WHERE id = $1 AND status = 'capturing'`
        await shop.database.pool.query(text, [id])
        await reconcilePayment(shop.checkout, id)
      }
      return { buyer, product, ref, orderId, id, capture, order, reconcile }
    }
    async function during<T>(fault: 'away' | 'lost', work: () => Promise<T>): Promise<T> {
      await stage.setFault(fault)
      return work().finally(() => stage.setFault(null))
    }
    async function bought() {
      const started = await start()
      await stage.approve(started.ref)
      expect(await started.capture()).toBe('COMPLETED')
      return started
    }
    /** Starts a payment whose money the provider took while the shop got no answer. */
    async function unheard() {
      const started = await start()
      await stage.approve(started.ref)
      expect(await during('lost', started.capture)).toBe('PENDING')
      return started
    }

    test('captures an approved payment once', async () => {
      const { id, capture, order } = await bought()
      expect([await capture(), await order()]).toEqual(['COMPLETED', 'completed'])
      expect(await stage.takenOf(id)).toEqual({ cents: 1000, refundedCents: 0 })
    })

    test('captures nothing before the buyer approves', async () => {
      const { id, capture, order } = await start()
      await expect(capture()).rejects.toMatchObject({ status: 409, code: 'not_approved' })
      expect([await order(), await stage.takenOf(id)]).toEqual(['pending', null])
    })

    if (has('declines'))
      test('leaves the order open for another method after a decline', async () => {
        const { ref, orderId, capture, order } = await start()
        await stage.decline(ref)
        expect([await capture(), await order()]).toEqual(['DECLINED', 'pending'])
        expect(await paymentOf(orderId)).toMatchObject({ status: 'declined', declines: 1 })
        await stage.approve(ref)
        expect([await capture(), await order()]).toEqual(['COMPLETED', 'completed'])
      })

    test('fails the order when the buyer cancels', async () => {
      const { buyer, ref, id, order } = await start()
      await buyer.call(cancelPayment, { id: ref })
      expect([await order(), await stage.takenOf(id)]).toEqual(['failed', null])
    })

    if (has('lost captures'))
      test.each(['away', 'lost'] as const)(
        'completes the order when the answer to a capture is lost: %s',
        async (fault) => {
          const { ref, id, capture, order, reconcile } = await start()
          await stage.approve(ref)
          expect([await during(fault, capture), await order()]).toEqual(['PENDING', 'pending'])
          await expect(during('away', reconcile)).rejects.toThrow()
          await reconcile()
          expect([await order(), await stage.takenOf(id)]).toEqual(['completed', { cents: 1000, refundedCents: 0 }])
        },
      )

    test('answers 503 and fails the order when a payment cannot start', async () => {
      await expect(during('away', start)).rejects.toMatchObject({ status: 503, code: 'provider_away' })
    })

    test('reports the provider as away while it is away', async () => {
      const { main } = stage.shop.checkout.providers
      expect([await main.probe(), await during('away', main.probe)]).toEqual(['ready', 'away'])
    })

    if (has('changes'))
      test.each(['captured', 'declined'] as const)(
        'delivers nothing for a pending payment until it is %s',
        async (end) => {
          const { ref, orderId, order, reconcile } = await unheard()
          await stage.show(ref, { state: 'pending' })
          await reconcile()
          expect([await order(), (await paymentOf(orderId)).status]).toEqual(['pending', 'capturing'])
          await stage.show(ref, { state: end })
          await reconcile()
          expect(await order()).toBe(end === 'captured' ? 'completed' : 'pending')
          expect((await paymentOf(orderId)).status).toBe(end)
        },
      )

    if (has('changes'))
      test.each([{ cents: 999 }, { cents: 1001 }, { currency: 'EUR' }])(
        'refunds money whose amount or currency does not match: %j',
        async (change) => {
          const { ref, orderId, order, reconcile } = await unheard()
          await stage.show(ref, change)
          await reconcile()
          expect([await order(), (await paymentOf(orderId)).status]).toEqual(['failed', 'mismatched'])
          const refunds = stage.shop.database.db.selectFrom('refunds').innerJoin('payments as p', 'p.id', 'paymentId')
          expect(await refunds.select('refunds.status').where('orderId', '=', orderId).execute()).toEqual([
            { status: 'requested' },
          ])
        },
      )

    test('refunds a part, refuses more than was captured, then refunds the rest', async () => {
      const { id, orderId, order } = await bought()
      const { checkout } = stage.shop
      const refund = async (cents?: number) => {
        const { id: refundId } = await refundOrder(checkout, orderId, 'asked for', cents)
        await runRefund(checkout, refundId)
        await stage.sendRefund?.(refundId)
      }
      await refund(300)
      expect([await order(), (await stage.takenOf(id))!.refundedCents]).toEqual(['completed', 300])
      await expect(refund(701)).rejects.toMatchObject({ code: 'refund_too_large' })
      await refund()
      expect([await order(), (await stage.takenOf(id))!.refundedCents]).toEqual(['refunded', 1000])
      const { rows } = await stage.shop.database.pool.query(
        'SELECT account FROM ledger_entries WHERE payment_id = $1 GROUP BY account HAVING sum(amount_cents) <> 0',
        [id],
      )
      expect(rows).toEqual([])
    })

    if (has('refund requests'))
      test.each(['away', 'lost'] as const)('makes a refund once when its answer is lost: %s', async (fault) => {
        const { id, orderId, order } = await bought()
        const { checkout } = stage.shop
        const { id: refundId } = await refundOrder(checkout, orderId, 'asked for', 400)
        const run = () => runRefund(checkout, refundId)
        await expect(during(fault, run)).rejects.toThrow()
        await run()
        await run()
        expect([await order(), (await stage.takenOf(id))!.refundedCents]).toEqual(['completed', 400])
      })

    if (has('refund requests'))
      test('leaves goods and ledger unchanged when the provider refuses a refund', async () => {
        const { ref, id, orderId, order } = await bought()
        await stage.show(ref, { cents: 100 })
        const { checkout, database } = stage.shop
        const { id: refundId } = await refundOrder(checkout, orderId, 'asked for', 400)
        await runRefund(checkout, refundId)
        const refund = database.db.selectFrom('refunds').select(['status', 'refusal']).where('id', '=', refundId)
        expect(await refund.execute()).toEqual([{ status: 'failed', refusal: 'REFUND_AMOUNT_EXCEEDED' }])
        expect([await order(), (await stage.takenOf(id))!.refundedCents]).toEqual(['completed', 0])
      })

    if (has('events'))
      describe('events', () => {
        const post = (body: string, headers: Record<string, string>) =>
          fetch(stage.shop.url + webhookPath(methodOf()), {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body,
          })

        test('rejects a forged event', async () => {
          const { ref } = await bought()
          const { body, headers } = await stage.eventOf(ref)
          expect((await post(body.replace('{', '{ '), headers)).status).toBe(400)
          expect((await post(body, {})).status).toBe(400)
        })

        test('settles once with an event that arrives twice', async () => {
          const { ref, order, id } = await unheard()
          const { id: eventId, body, headers } = await stage.eventOf(ref)
          for (let n = 0; n < 2; n++) {
            expect((await post(body, headers)).status).toBe(200)
            await processWebhook(stage.shop.checkout, methodOf(), eventId)
          }
          expect([await order(), await stage.takenOf(id)]).toEqual(['completed', { cents: 1000, refundedCents: 0 }])
        })

        test.each(['completed', 'refunded'] as const)('ignores an event that arrives late: %s', async (status) => {
          const { ref, orderId, order } = await bought()
          const { checkout } = stage.shop
          if (status === 'refunded') await runRefund(checkout, (await refundOrder(checkout, orderId, 'asked for')).id)
          const { id: eventId, body, headers } = await stage.eventOf(ref)
          expect((await post(body, headers)).status).toBe(200)
          await processWebhook(checkout, methodOf(), eventId)
          expect(await order()).toBe(status)
        })
      })

    if (has('saved methods'))
      describe('saved method', () => {
        async function keep(vaultId?: string) {
          const { shop } = stage
          const [buyer, product] = [await shop.join(), await addProduct(shop)]
          const { name: provider, mode } = shop.checkout.providers.main
          vaultId ??= await stage.saveMethod(buyer.email)
          await saveWallet(shop.database.db, { userId: buyer.id, provider, mode, vaultId, label: 'saved' })
          return { buyer, product, vaultId }
        }
        const quickBuy = (buyer: Person, product: { id: string; price: string }) =>
          buyer.call(placeOrder, {
            items: [{ productId: product.id, quantity: 1, price: product.price }],
            ...{ total: product.price, paymentMethod: methodOf(), paymentId: crypto.randomUUID(), source: 'product' },
          })

        test('is charged in one step', async () => {
          const { buyer, product } = await keep()
          expect((await quickBuy(buyer, product)).status).toBe('completed')
        })

        test.each(['away', 'lost'] as const)('is charged once when the answer is lost: %s', async (fault) => {
          const { buyer, product } = await keep()
          const { id: orderId } = await during(fault, () => quickBuy(buyer, product))
          const { id } = await paymentOf(orderId)
          await stage.shop.database.pool.query(
            `UPDATE payments SET lease_until = now() - interval '1 hour' WHERE id = $1`,
            [id],
          )
          await reconcilePayment(stage.shop.checkout, id)
          expect((await buyer.call(getOrder, { id: orderId })).status).toBe('completed')
          expect(await stage.takenOf(id)).toEqual({ cents: 1000, refundedCents: 0 })
        })

        test('leaves the order open when the provider refuses it', async () => {
          const { buyer, product } = await keep(`unknown-${crypto.randomUUID()}`)
          const { id, status } = await quickBuy(buyer, product)
          expect([status, (await paymentOf(id)).status]).toEqual(['pending', 'declined'])
        })

        test('is deleted at the provider', async () => {
          const { buyer, product, vaultId } = await keep()
          const [wallet] = await buyer.call(listWallets, {})
          await buyer.call(removeWallet, { id: wallet!.id })
          await revokeWallet(stage.shop.database.db, stage.shop.checkout.providers, wallet!.id)
          expect((await quickBuy(buyer, product)).status).toBe('pending')
          // another member gets the reference only after the shop has erased it
          await stage.shop.database.db
            .updateTable('wallets')
            .set({ vaultId: `erased-${wallet!.id}` })
            .where('id', '=', wallet!.id)
            .execute()
          const again = await keep(vaultId)
          const refused = await quickBuy(again.buyer, again.product)
          expect((await paymentOf(refused.id)).status).toBe('declined')
        })
      })
  })
}
