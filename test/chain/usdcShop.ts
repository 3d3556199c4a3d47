import { expect } from 'vitest'
import { readConfig } from '../../src/app/settings.server.ts'
import { handlePayment, reconcile, reconcilePayment } from '../../src/checkout/reconcile.server.ts'
import { startPayment } from '../../src/checkout/checkout.contract.ts'
import { runRefund } from '../../src/aftersale/refunds/refund.server.ts'
import { getOrder } from '../../src/purchases/orders.contract.ts'
import { watchChain } from '../../src/providers/usdc/jobs.server.ts'
import { openUsdc, openUsdcContext } from '../../src/providers/usdc/open.server.ts'
import { getTransfer } from '../../src/providers/usdc/transfers.contract.ts'
import { addProduct } from '../goods.ts'
import { openTestShop, type Person } from '../shop.ts'
import { CONFIRMATIONS, openChainNode } from './chain.ts'

/** Converts dollars to units of the token. */
export const usdc = (dollars: number): number => Math.round(dollars * 1_000_000)

export type UsdcShop = Awaited<ReturnType<typeof openUsdcShop>>
export type UsdcOrder = Awaited<ReturnType<UsdcShop['order']>>

/** Opens a shop whose only provider is USDC, on a real node. A test runs its jobs explicitly. */
export async function openUsdcShop(env: Record<string, string> = {}) {
  const chain = await openChainNode()
  const settings = { BONUS_PERCENT: '0', ...chain.settings, ...env }
  const shop = await openTestShop(settings, { providers: [openUsdc] })
  const { pool, db } = shop.database
  const context = (await openUsdcContext({ config: readConfig(settings), database: { db }, publicUrl: shop.url }))!

  /** Does the work of all jobs once: scans the chain, settles payments and reconciles the ledger. */
  async function look() {
    await watchChain(context, { isForced: true })
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM payments WHERE provider = 'usdc' ORDER BY created_at`,
    )
    for (const { id } of rows) await handlePayment(shop.checkout, id)
    const refunds = await pool.query<{ id: string }>(`SELECT id FROM refunds WHERE status = 'requested'`)
    for (const { id } of refunds.rows) await runRefund(shop.checkout, id)
    await watchChain(context, { isForced: true })
  }

  async function order(price = '10.00', buyer?: Person, product?: { id: string }) {
    buyer ??= await shop.join()
    product ??= await addProduct(shop, { price })
    const items = [{ productId: product.id, quantity: 1 }]
    const started = await buyer.call(startPayment, { amount: price, currency: 'USD', intent: 'capture', items })
    const { id: address, orderId, next } = started
    const payment = await db
      .selectFrom('payments')
      .select('id')
      .where('orderId', '=', orderId)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    return {
      ...{ buyer, product, address, orderId, next, paymentId: payment.id },
      status: async () => (await buyer.call(getOrder, { id: orderId })).status,
      transfer: () => buyer.call(getTransfer, { orderId }),
      /** Sends dollars to the order's address in a separate block. */
      send: (dollars: number) => chain.send(address, usdc(dollars)),
      /** Ends the time to pay, by the clock of the shop. */
      expire: async () => {
        await pool.query(`UPDATE orders SET expires_at = now() - interval '1 minute' WHERE id = $1`, [orderId])
        await pool.query(`UPDATE usdc_addresses SET expires_at = now() - interval '1 minute' WHERE payment_id = $1`, [
          payment.id,
        ])
        await reconcile(shop.checkout, { idleSeconds: 600 })
      },
      /** Does the work of the reconciler after the lease has expired. */
      reconcile: async () => {
        await pool.query(
          `UPDATE payments SET lease_until = now() - interval '1 hour' WHERE id = $1 AND status = 'capturing'`,
          [payment.id],
        )
        await reconcilePayment(shop.checkout, payment.id).catch(() => undefined)
      },
      /** Returns the balance of each ledger account of the payment in cents. */
      ledger: async () => {
        const { rows } = await pool.query<{ account: string; cents: number }>(
          `SELECT regexp_replace(account, '^seller:.*', 'seller') AS account, sum(amount_cents)::int AS cents
           FROM ledger_entries WHERE payment_id = $1 GROUP BY 1 HAVING sum(amount_cents) <> 0 ORDER BY 1`,
          [payment.id],
        )
        return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
      },
      exceptions: () =>
        db
          .selectFrom('usdcExceptions')
          .select(['id', 'kind', 'amountCents', 'state', 'resolution', 'problem'])
          .where('paymentId', '=', payment.id)
          .orderBy('createdAt')
          .orderBy('id')
          .execute(),
    }
  }

  /** Returns an order that was fully paid and delivered. */
  async function paid(price = '10.00') {
    const bought = await order(price)
    await bought.send(Number(price))
    await chain.mine(CONFIRMATIONS)
    await look()
    expect(await bought.status()).toBe('completed')
    return bought
  }

  return {
    shop,
    chain,
    context,
    look,
    order,
    paid,
    close: async () => {
      await shop.close()
      await chain.stop()
    },
  }
}
