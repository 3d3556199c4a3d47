import type { Config } from '../kit/config.server.ts'
import type { PaymentsConfig } from '../payments/payments.settings.server.ts'
import type { Database } from '../kit/database.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, type Caller, handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { toCents } from '../kit/money.ts'
import { findOrder, findPendingOrder, readOrder } from '../orders/orders.server.ts'
import { PAYPAL } from '../payments/payments.contract.ts'
import { findWallet, type Wallet } from '../payments/payments.store.server.ts'
import { Refused, Unanswered } from '../payments/paypal/errors.server.ts'
import type { Paypal } from '../payments/paypal/client.server.ts'
import type { Risk, Visitor } from '../risk/risk.server.ts'
import {
  cancelOrder,
  cancelPayment,
  capturePayment,
  getPaymentSetup,
  placeOrder,
  startPayment,
} from './checkout.contract.ts'
import { completeByCredit } from './credit.server.ts'
import * as pay from './pay.server.ts'
import { place, type Placing } from './place.server.ts'
import { isConfirmable, visitorOf } from './risk.server.ts'
import { chargeWallet } from './wallet.server.ts'

export type Checkout = Database & {
  config: Pick<Config & PaymentsConfig, 'storeName' | 'bonus'>
  risk: Risk
  /** Where a visitor is, as far as it is known already. */
  countryOf: (visitor: Pick<Caller, 'ip' | 'header'>) => Promise<string | null>
  paypal: Paypal
  publicUrl: string
  scriptUrl: string
}

const WALLET_CHANGED = new Failure(
  409,
  'Your saved wallet has changed. Please look again; nothing was charged.',
  'wallet_changed',
)

const limits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'address', count: 40, seconds: 60, isShared: true },
]

export function checkoutRoutes(checkout: Checkout): Route[] {
  const { paypal, scriptUrl, db, pool } = checkout
  return [
    handle(
      getPaymentSetup,
      async () => {
        const token = await paypal.createClientToken().catch((error: unknown) => {
          if (!(error instanceof Unanswered || error instanceof Refused)) throw error
          throw new Failure(503, 'The payment provider isn’t responding.', 'provider_away', { retryAfter: 5 })
        })
        return {
          clientToken: token.clientToken,
          expiresAt: token.expiresAt.toISOString(),
          environment: paypal.mode,
          scriptUrl,
        }
      },
      { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    ),

    handle(
      placeOrder,
      async (input, caller) => {
        const { user, header } = caller
        if (input.paymentMethod !== PAYPAL) throw new Failure(400, `paymentMethod: this shop takes ${PAYPAL}.`)
        const lines = input.items.map(({ price, ...item }) => ({ ...item, priceCents: toCents(price) }))
        const visitor = await visitorOf(checkout, caller)
        await checkout.risk.admit(db, visitor)
        const placing: Placing = {
          userId: user.id,
          key: keyOf(header('idempotency-key') ?? input.paymentId),
          items: input.source === 'product' ? lines.map(({ productId, quantity }) => ({ productId, quantity })) : null,
          seen: { totalCents: toCents(input.total), lines },
          paymentMethod: PAYPAL,
          credit: input.credit === undefined ? 'whole' : toCents(input.credit),
        }
        const { orderId, wallet } = await placeOrPay(checkout, visitor, placing, input.walletId)
        if (wallet) await chargeOrEnd(checkout, visitor, orderId, wallet)
        return asJson(await readOrder(pool, user.id, orderId))
      },
      { limits },
    ),

    handle(
      startPayment,
      async ({ amount, credit = '0', orderId, items }, caller) => {
        const { user, header } = caller
        const visitor = await visitorOf(checkout, caller)
        await checkout.risk.admit(db, visitor)
        const seen = { totalCents: toCents(amount) }
        // the provider takes no order of $0
        if (toCents(credit) >= seen.totalCents)
          throw new Failure(409, 'Your store credit covers all of it. Pay with store credit.', 'credit_covers')
        const placed = orderId
          ? { orderId: await checkTotal(checkout, user.id, orderId, seen.totalCents), isNew: false, isCovered: false }
          : await placeOrTakeUp(checkout, {
              userId: user.id,
              key: keyOf(header('idempotency-key') ?? crypto.randomUUID()),
              items: items ?? null,
              seen,
              paymentMethod: PAYPAL,
              credit: toCents(credit),
              goesOn: true,
            })
        try {
          return { id: await pay.startPayment(checkout, visitor, placed.orderId), orderId: placed.orderId }
        } catch (error) {
          // nothing can be paid with an order that the provider never handed out, so the cart comes back at once
          if (placed.isNew && !isConfirmable(error))
            await pay.cancelOrder(db, user.id, placed.orderId, 'the payment could not be started')
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
      cancelOrder,
      async ({ id }, { user }) =>
        asJson(await readOrder(pool, user.id, await pay.cancelOrder(db, user.id, id, pay.CANCELED))),
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
async function chargeOrEnd(checkout: Checkout, visitor: Visitor, orderId: string, wallet: Wallet) {
  const { userId } = visitor
  try {
    await pay.judgeOrEnd(checkout, visitor, orderId)
    await chargeWallet(checkout, orderId, wallet)
  } catch (error) {
    if (error instanceof Failure && error.code === 'out_of_stock')
      await pay.cancelOrder(checkout.db, userId, orderId, 'sold out')
    // the order stands, and asks for it
    if (isConfirmable(error)) return
    throw error
  }
}

/** The order to pay is the caller's and costs what the browser saw. */
async function checkTotal({ db }: Checkout, userId: string, orderId: string, totalCents: number): Promise<string> {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  if (order.totalCents !== totalCents) throw new Failure(409, 'The order total has changed.', 'price_changed')
  return orderId
}

/**
 * Places an order; one that store credit covers is paid in the same transaction, or nothing of it has happened. Answers
 * the wallet to charge for any other, which must be the one that the customer was shown.
 */
function placeOrPay(
  checkout: Checkout,
  visitor: Visitor,
  placing: Placing,
  shownWalletId: string | null | undefined,
): Promise<{ orderId: string; wallet?: Wallet }> {
  return inTransaction(checkout.db, async (tx) => {
    const { orderId, isNew, isCovered } = await place(tx, placing)
    if (!isNew) return { orderId }
    if (isCovered) {
      await completeByCredit(tx, checkout, visitor, orderId)
      return { orderId }
    }
    const wallet = await findWallet(tx, placing.userId, checkout.paypal.mode)
    if (shownWalletId !== undefined && shownWalletId !== (wallet?.id ?? null)) throw WALLET_CHANGED
    return { orderId, wallet }
  })
}

/** Places an order; with an empty cart, takes up the order of the same sums that still waits for payment. */
function placeOrTakeUp({ db }: Checkout, placing: Placing) {
  return inTransaction(db, async (tx) => {
    try {
      return await place(tx, placing)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'cart_empty') throw error
      const open = await findPendingOrder(tx, placing.userId)
      if (open?.totalCents !== placing.seen.totalCents || open?.creditCents !== placing.credit) throw error
      return { orderId: open.id, isNew: false, isCovered: false }
    }
  })
}
