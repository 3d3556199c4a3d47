import type { Config } from '../kit/config.server.ts'
import type { Database } from '../kit/database.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/limit.server.ts'
import { toCents } from '../kit/money.ts'
import { findOrder, findPendingOrder, readOrder } from '../orders/orders.server.ts'
import { PAYPAL } from '../payments/payments.contract.ts'
import { findWallet, type Wallet } from '../payments/payments.server.ts'
import { Refused, Unanswered } from '../payments/paypal.errors.server.ts'
import type { Paypal } from '../payments/paypal.server.ts'
import { cancelPayment, capturePayment, getPaymentSetup, placeOrder, startPayment } from './checkout.contract.ts'
import * as pay from './pay.server.ts'
import { type Placed, place, placeInTransaction } from './place.server.ts'
import { chargeWallet } from './wallet.server.ts'

export type Checkout = Database & {
  config: Pick<Config, 'storeName'>
  paypal: Paypal
  publicUrl: string
  scriptUrl: string
}

const limits: Limit[] = [
  { per: 'account', count: 10, seconds: 60 },
  { per: 'address', count: 40, seconds: 60 },
]

export function checkoutRoutes(checkout: Checkout): Route[] {
  const { paypal, scriptUrl, db, pool } = checkout
  return [
    handle(
      getPaymentSetup,
      async (_, { user }) => {
        const token = await paypal.createClientToken().catch((error: unknown) => {
          if (!(error instanceof Unanswered || error instanceof Refused)) throw error
          throw new Failure(503, 'The payment provider does not answer.', 'provider_away', { retryAfter: 5 })
        })
        const wallet = await findWallet(db, user.id, paypal.mode)
        return {
          clientToken: token.clientToken,
          expiresAt: token.expiresAt.toISOString(),
          environment: paypal.mode,
          scriptUrl,
          savedMethod: wallet ? { id: wallet.id, label: wallet.label } : null,
        }
      },
      { limits: [{ per: 'account', count: 30, seconds: 60 }] },
    ),

    handle(
      placeOrder,
      async (input, { user, header }) => {
        if (input.paymentMethod !== PAYPAL) throw new Failure(400, `paymentMethod: this shop takes ${PAYPAL}.`)
        const lines = input.items.map(({ price, ...item }) => ({ ...item, priceCents: toCents(price) }))
        const placed = await placeInTransaction(db, {
          userId: user.id,
          key: keyOf(header('idempotency-key') ?? input.paymentId),
          items: input.source === 'product' ? lines.map(({ productId, quantity }) => ({ productId, quantity })) : null,
          seen: { totalCents: toCents(input.total), lines },
          paymentMethod: PAYPAL,
          paymentId: input.paymentId,
        })
        const wallet = placed.isNew && (await findWallet(db, user.id, paypal.mode))
        if (wallet) await chargeOrEnd(checkout, user.id, placed.orderId, wallet)
        return asJson(await readOrder(pool, user.id, placed.orderId))
      },
      { limits },
    ),

    handle(
      startPayment,
      async ({ amount, orderId, items }, { user, header }) => {
        const seen = { totalCents: toCents(amount) }
        const placed = orderId
          ? { orderId: await checkTotal(checkout, user.id, orderId, seen.totalCents), isNew: false }
          : await placeOrTakeUp(checkout, {
              userId: user.id,
              key: keyOf(header('idempotency-key') ?? crypto.randomUUID()),
              items: items ?? null,
              seen,
              paymentMethod: PAYPAL,
              paymentId: null,
            })
        try {
          return { id: await pay.startPayment(checkout, user.id, placed.orderId), orderId: placed.orderId }
        } catch (error) {
          // nothing can be paid with an order that the provider never handed out, so the cart comes back at once
          if (placed.isNew) await pay.cancelOrder(db, user.id, placed.orderId, 'the payment could not be started')
          throw error
        }
      },
      { limits },
    ),

    handle(
      capturePayment,
      async ({ id }, { user }) => {
        const { orderId, captured } = await pay.capturePayment(checkout, user.id, id)
        const order = await readOrder(pool, user.id, orderId)
        return asJson(`{"id":${JSON.stringify(id)},"status":"${captured}","orderId":"${orderId}","order":${order}}`)
      },
      { limits },
    ),

    handle(
      cancelPayment,
      async ({ id }, { user }) =>
        asJson(await readOrder(pool, user.id, await pay.cancelPayment(checkout, user.id, id))),
      { limits },
    ),
  ]
}

function keyOf(key: string): string {
  if (key.length < 1 || key.length > 255) throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.')
  return key
}

/** A declined or unanswered charge leaves the order pending; one that cannot be delivered ends it, and the cart comes back. */
async function chargeOrEnd(checkout: Checkout, userId: string, orderId: string, wallet: Wallet) {
  try {
    await chargeWallet(checkout, orderId, wallet)
  } catch (error) {
    if (error instanceof Failure && error.code === 'out_of_stock')
      await pay.cancelOrder(checkout.db, userId, orderId, 'sold out')
    throw error
  }
}

/** The order to pay is the caller's and costs what the browser saw. */
async function checkTotal({ db }: Checkout, userId: string, orderId: string, totalCents: number): Promise<string> {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  if (order.totalCents !== totalCents) throw new Failure(409, 'The total of this order is another.', 'price_changed')
  return orderId
}

/** Places an order; with an empty cart, takes up the order of the same total that still waits for payment. */
function placeOrTakeUp({ db }: Checkout, placing: Parameters<typeof place>[1]): Promise<Placed> {
  return inTransaction(db, async (tx) => {
    try {
      return await place(tx, placing)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'cart_empty') throw error
      const open = await findPendingOrder(tx, placing.userId)
      if (open?.totalCents !== placing.seen.totalCents) throw error
      return { orderId: open!.id, isNew: false }
    }
  })
}
