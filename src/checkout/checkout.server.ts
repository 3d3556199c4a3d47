import { inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { toCents } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { findOrder, findPendingOrder } from '../orders/orders.store.server.ts'
import { readOrder } from '../purchases/orders.server.ts'
import { defaultMethod, offeredMethod, rememberUsed } from '../payments/methods/choice.store.server.ts'
import { methodLabel } from '../payments/methods.ts'
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
  startPayment,
} from './checkout.contract.ts'
import { readBankUrl } from './return/bank.server.ts'
import { closeForCharge } from './close.server.ts'
import type { Checkout } from './context.server.ts'
import * as pay from './pay.server.ts'
import { completeFree } from './free.server.ts'
import { place, type Placed, type Placing } from './place.server.ts'
import { demandProofFor } from './proof.server.ts'
import { chargeWallet, completeByCredit } from './quickBuy/quickBuy.server.ts'
import { cancelReturned, settleReturned } from './return/return.server.ts'
import { isConfirmable, visitorOf } from './risk.server.ts'
import { required } from '../kit/values/required.ts'

const WALLET_CHANGED = new Failure(
  409,
  'Your saved wallet has changed. Please look again; nothing was charged.',
  'wallet_changed',
)

const CODE_OF_CART = new Failure(400, 'discount: Enter codes for the cart in the cart.', 'invalid')

const NOTHING_DUE = new Failure(409, 'There is nothing to pay for this. Please look at your cart again.', 'nothing_due')

type Proven = Placing & { isProven: boolean }

const limits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'address', count: 40, seconds: 60, isShared: true },
]

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
      // a repeat whose first answer was lost
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

    handle(
      startPayment,
      { limits },
      async ({ amount, credit = '0', orderId, items, discount, method: named }, caller) => {
        if (discount && !items) throw CODE_OF_CART
        const asked = named === undefined ? null : offeredMethod(providers, named)
        const { user, header } = caller
        const visitor = await visitorOf(checkout, caller)
        await checkout.risk.admit(db, visitor)
        const seen = { totalCents: toCents(amount) }
        // the provider takes no order of $0
        if (seen.totalCents === 0) throw NOTHING_DUE
        if (toCents(credit) >= seen.totalCents)
          throw new Failure(409, 'Your store credit covers all of it. Pay with store credit.', 'credit_covers')
        const method = (wanted: string | null) => asked ?? defaultMethod(db, providers, user.id, wanted)
        const placed = orderId
          ? await openAgain(checkout, visitor, orderId, seen.totalCents, method)
          : await placeAndOpen(checkout, visitor, demandEnough(await method(null), seen.totalCents - toCents(credit)), {
              userId: user.id,
              key: keyOf(header('idempotency-key') ?? crypto.randomUUID()),
              items:
                items?.map(({ price, ...item }) => ({
                  ...item,
                  ...(price !== undefined && { priceCents: toCents(price) }),
                })) ?? null,
              code: discount,
              seen,
              credit: toCents(credit),
              goesOn: true,
              isProven: toCents(credit) === 0 || (await caller.isProven()),
            })
        if (asked) await rememberUsed(db, providers, user.id, { provider: asked.name, walletId: null })
        try {
          const { ref: id, next } = await pay.startPayment(checkout, visitor, placed.orderId, placed.opened)
          return { id, orderId: placed.orderId, next }
        } catch (error) {
          // Without a payment at the provider the order cannot be paid, so the cart comes back at once. Another tab may have
          // replaced this payment: then the order is paid there.
          if (placed.isNew && !isConfirmable(error) && error !== pay.ENDED_MEANWHILE)
            await pay.cancelOrder(checkout, user.id, placed.orderId, 'start_failed')
          throw error
        }
      },
    ),

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

function keyOf(key: string): string {
  if (key.length < 1 || key.length > 255) throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.')
  return key
}

/** A declined or unanswered charge leaves the order pending. A sold-out order fails and returns its cart. */
async function chargeOrEnd(checkout: Checkout, visitor: Visitor, orderId: string, wallet: Wallet) {
  const { userId } = visitor
  try {
    await pay.evaluateOrEnd(checkout, visitor, orderId)
    await chargeWallet(checkout, orderId, wallet)
  } catch (error) {
    if (error instanceof Failure && error.code === 'out_of_stock')
      await pay.cancelOrder(checkout, userId, orderId, 'sold_out')
    // the order stands and asks its buyer to confirm
    if (isConfirmable(error)) return
    throw error
  }
}

/** Opens a payment for an order that is the caller's and costs what the browser showed. */
async function openAgain(
  checkout: Checkout,
  visitor: Visitor,
  orderId: string,
  totalCents: number,
  methodFor: (wanted: string | null) => Provider | Promise<Provider>,
) {
  const order = await findOwn(checkout, visitor.userId, orderId, totalCents)
  const method = demandEnough(await methodFor(order.paymentMethod), pay.dueCents(order))
  return { orderId, isNew: false, opened: await pay.openOrSwitch(checkout, visitor, { orderId, method }) }
}

async function findOwn({ db }: Checkout, userId: string, orderId: string, totalCents: number) {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  if (order.totalCents !== totalCents) throw new Failure(409, 'The order total has changed.', 'price_changed')
  return order
}

/** Answers the method. Throws a 409 Failure when what is due is too small for it. */
function demandEnough(method: Provider, dueCents: number): Provider {
  const { name, leastCents = 1 } = method
  if (dueCents < leastCents)
    throw new Failure(
      409,
      `${methodLabel(name)} takes no less than ${usd(leastCents)}. Choose another way to pay.`,
      'too_small',
    )
  return method
}

/** Completes a free order and pays by credit in the same transaction, or answers the wallet to charge: the one that the buyer was shown. */
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

/** Places an order and opens its payment in one transaction. A repeat does not hold up the buyer's next click. */
async function placeAndOpen(
  checkout: Checkout,
  visitor: Visitor,
  method: Provider,
  asked: Omit<Proven, 'paymentMethod'>,
) {
  const placing = { ...asked, paymentMethod: method.name }
  const { opened, ...placed } = await inTransaction(checkout.db, async (tx) => {
    const placed = await placeOrReuse(tx, placing)
    const savedCents = placed.isNew ? Number(placing.credit) : 0
    await demandProofFor(tx, { ...placing, orderId: placed.orderId, savedCents })
    return { ...placed, opened: placed.isNew ? await pay.openNew(tx, checkout, visitor, { ...placed, method }) : null }
  })
  return { ...placed, opened: opened ?? (await pay.openOrSwitch(checkout, visitor, { ...placed, method })) }
}

/** With an empty cart, reuses the pending order of the same sums. */
async function placeOrReuse(tx: Tx, placing: Placing): Promise<Placed> {
  try {
    return await place(tx, placing)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'cart_empty') throw error
    const open = await findPendingOrder(tx, placing.userId)
    if (open?.totalCents !== placing.seen.totalCents || open?.creditCents !== placing.credit) throw error
    return { orderId: open.id, isNew: false, isCovered: false, isFree: false }
  }
}
