import { inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import { toCents } from '../kit/money.ts'
import { findOrder } from '../orders/orders.store.server.ts'
import { readOrder } from '../purchases/orders.server.ts'
import { offeredMethod, rememberUsed } from '../payments/methods/choice.store.server.ts'
import { findWallet, type Wallet } from '../payments/wallets.store.server.ts'
import { findPaymentAt } from '../payments/payments.store.server.ts'
import type { Provider } from '../payments/provider.ts'
import type { Visitor } from '../risk/risk.server.ts'
import {
  cancelOrder,
  cancelPayment,
  capturePayment,
  chargeOrder,
  placeOrder,
  settleReturn,
  readBankQuestion,
} from './checkout.contract.ts'
import { readBankUrl } from './return/bank.server.ts'
import { closeForCharge } from './close.server.ts'
import type { Checkout } from './context.server.ts'
import * as pay from './pay.server.ts'
import { completeFree } from './free.server.ts'
import { place, type Placing } from './place.server.ts'
import { demandProofFor } from './proof.server.ts'
import { chargeWallet, completeByCredit } from './quickBuy/quickBuy.server.ts'
import { cancelReturned, settleReturned } from './return/return.server.ts'
import { isConfirmable, visitorOf } from './risk.server.ts'
import { CODE_OF_CART, demandEnough, findOwn, keyOf, limits, type Proven } from './start/demands.server.ts'
import { startRoute } from './start/start.server.ts'
import { required } from '../kit/values/required.ts'

const WALLET_CHANGED = new Failure(
  409,
  'Your saved wallet has changed. Please look again; nothing was charged.',
  'wallet_changed',
)

export function checkoutRoutes(checkout: Checkout): Route[] {
  const { db, pool, providers } = checkout
  return [
    handle(placeOrder, { limits }, async (input, caller) => {
      const { user, header } = caller
      const method = offeredMethod(providers, input.paymentMethod, 'paymentMethod')
      if (input.discount && input.source !== 'product') throw CODE_OF_CART
      const lines = input.items.map(({ price, ...item }) => ({ ...item, priceCents: toCents(price) }))
      const visitor = await visitorOf(checkout, caller)
      await checkout.risk.admit(db, visitor)
      const placing: Placing = {
        userId: user.id,
        key: keyOf(header('idempotency-key') ?? input.paymentId),
        items: input.source === 'product' ? lines : null,
        code: input.discount,
        seen: { totalCents: toCents(input.total), lines },
        paymentMethod: method.name,
        credit: input.credit === undefined ? 'whole' : toCents(input.credit),
      }
      const isProven = await caller.isProven()
      const { orderId, wallet } = await placeOrPay(checkout, visitor, { ...placing, isProven }, method, input.walletId)
      if (wallet) {
        await rememberUsed(db, providers, user.id, { provider: wallet.provider, walletId: wallet.id })
        await chargeOrEnd(checkout, visitor, orderId, wallet)
      }
      return asJson(await readOrder(pool, user.id, orderId))
    }),

    handle(chargeOrder, { limits }, async ({ id, total, paymentMethod, walletId }, caller) => {
      const { user } = caller
      const method = offeredMethod(providers, paymentMethod, 'paymentMethod')
      const visitor = await visitorOf(checkout, caller)
      await checkout.risk.admit(db, visitor)
      const order = await findOwn(checkout, user.id, id, toCents(total))
      const wallet = await findWallet(db, user.id, method, walletId)
      // a retry after the first reply was lost
      if (order.status === 'completed') return asJson(await readOrder(pool, user.id, id))
      if (!pay.isPayable(order)) throw pay.CLOSED
      if (!wallet) throw WALLET_CHANGED
      demandEnough(method, pay.dueCents(order))
      const isProven = await caller.isProven()
      await inTransaction(db, (tx) =>
        demandProofFor(tx, { userId: user.id, orderId: id, savedCents: pay.dueCents(order), isProven }),
      )
      await closeForCharge(checkout, id)
      await rememberUsed(db, providers, user.id, { provider: method.name, walletId })
      await chargeOrEnd(checkout, visitor, id, wallet)
      return asJson(await readOrder(pool, user.id, id))
    }),

    startRoute(checkout),

    handle(readBankQuestion, { limits }, async ({ id }, { user }) => ({
      url: await readBankUrl(checkout, user.id, id),
    })),

    handle(capturePayment, { limits }, async ({ id }, { user }) => {
      const { orderId, captured } = await pay.capturePayment(checkout, user.id, id)
      const order = await readOrder(pool, user.id, orderId)
      return asJson(`{"id":${JSON.stringify(id)},"status":"${captured}","orderId":"${orderId}","order":${order}}`)
    }),

    handle(cancelOrder, { limits }, async ({ id }, { user }) =>
      asJson(await readOrder(pool, user.id, await pay.cancelOrder(checkout, user.id, id, 'canceled_by_buyer'))),
    ),

    handle(settleReturn, { limits }, async ({ provider, ref, payment: id, canceled = false }, { user }) => {
      const by = ref !== undefined ? { ref } : id !== undefined ? { id } : null
      if (!by) throw new Failure(400, 'ref or payment: give one of them.', 'invalid')
      const payment = await findPaymentAt(db, user.id, provider, by)
      if (!payment) throw new Failure(404, 'Not found')
      const status = canceled
        ? await cancelReturned(checkout, user.id, payment)
        : await settleReturned(checkout, payment)
      const order = await readOrder(pool, user.id, payment.orderId)
      return asJson(`{"status":"${status}","orderId":"${payment.orderId}","order":${order}}`)
    }),

    handle(cancelPayment, { limits }, async ({ id }, { user }) =>
      asJson(await readOrder(pool, user.id, await pay.cancelPayment(checkout, user.id, id))),
    ),
  ]
}

/** Charges the wallet. A decline or no reply leaves the order pending. A sold-out order fails. */
async function chargeOrEnd(checkout: Checkout, visitor: Visitor, orderId: string, wallet: Wallet) {
  const { userId } = visitor
  try {
    await pay.evaluateOrEnd(checkout, visitor, orderId)
    await chargeWallet(checkout, orderId, wallet)
  } catch (error) {
    if (error instanceof Failure && error.code === 'out_of_stock')
      await pay.cancelOrder(checkout, userId, orderId, 'sold_out')
    // the pending order asks its buyer for a confirmation
    if (isConfirmable(error)) return
    throw error
  }
}

/** Completes a free or credit-covered order in the placing transaction, or returns the wallet to charge. */
function placeOrPay(
  checkout: Checkout,
  visitor: Visitor,
  placing: Proven,
  method: Provider,
  shownWalletId: string | null | undefined,
): Promise<{ orderId: string; wallet?: Wallet }> {
  return inTransaction(checkout.db, async (tx) => {
    const { orderId, isNew, isCovered, isFree } = await place(tx, placing)
    if (!isNew) return { orderId }
    if (isFree) {
      await completeFree(tx, checkout, visitor, orderId)
      return { orderId }
    }
    const wallet = isCovered ? undefined : await findWallet(tx, placing.userId, method, shownWalletId ?? undefined)
    if (!isCovered && shownWalletId !== undefined && shownWalletId !== (wallet?.id ?? null)) throw WALLET_CHANGED
    const { totalCents, creditCents } = required(await findOrder(tx, orderId), 'the order')
    await demandProofFor(tx, { ...placing, orderId, savedCents: wallet ? totalCents : creditCents })
    if (isCovered) {
      await completeByCredit(tx, checkout, visitor, orderId)
      return { orderId }
    }
    return { orderId, wallet }
  })
}
