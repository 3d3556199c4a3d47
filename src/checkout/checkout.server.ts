import { inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { toCents } from '../kit/money.ts'
import { findOrder, findPendingOrder, readOrder } from '../orders/orders.server.ts'
import { findWallet, type Wallet } from '../payments/payments.store.server.ts'
import type { Visitor } from '../risk/risk.server.ts'
import { cancelOrder, cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import type { Checkout } from './context.server.ts'
import * as pay from './pay.server.ts'
import { place, type Placed, type Placing } from './place.server.ts'
import { demandProofFor } from './proof.server.ts'
import { chargeWallet, completeByCredit } from './quickBuy.server.ts'
import { isConfirmable, visitorOf } from './risk.server.ts'

const WALLET_CHANGED = new Failure(
  409,
  'Your saved wallet has changed. Please look again; nothing was charged.',
  'wallet_changed',
)

const CODE_OF_CART = new Failure(400, 'discount: Enter codes for the cart in the cart.', 'invalid')

type Proven = Placing & { isProven: boolean }

const limits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'address', count: 40, seconds: 60, isShared: true },
]

export function checkoutRoutes(checkout: Checkout): Route[] {
  const { db, pool } = checkout
  const { name: method } = checkout.providers.main
  return [
    handle(placeOrder, { limits }, async (input, caller) => {
      const { user, header } = caller
      if (input.paymentMethod !== method) throw new Failure(400, `paymentMethod: this shop takes ${method}.`)
      if (input.discount && input.source !== 'product') throw CODE_OF_CART
      const lines = input.items.map(({ price, ...item }) => ({ ...item, priceCents: toCents(price) }))
      const visitor = await visitorOf(checkout, caller)
      await checkout.risk.admit(db, visitor)
      const placing: Placing = {
        userId: user.id,
        key: keyOf(header('idempotency-key') ?? input.paymentId),
        items: input.source === 'product' ? lines.map(({ productId, quantity }) => ({ productId, quantity })) : null,
        code: input.discount,
        seen: { totalCents: toCents(input.total), lines },
        paymentMethod: method,
        credit: input.credit === undefined ? 'whole' : toCents(input.credit),
      }
      const isProven = await caller.isProven()
      const { orderId, wallet } = await placeOrPay(checkout, visitor, { ...placing, isProven }, input.walletId)
      if (wallet) await chargeOrEnd(checkout, visitor, orderId, wallet)
      return asJson(await readOrder(pool, user.id, orderId))
    }),

    handle(startPayment, { limits }, async ({ amount, credit = '0', orderId, items, discount }, caller) => {
      if (discount && !items) throw CODE_OF_CART
      const { user, header } = caller
      const visitor = await visitorOf(checkout, caller)
      await checkout.risk.admit(db, visitor)
      const seen = { totalCents: toCents(amount) }
      // the provider takes no order of $0
      if (toCents(credit) >= seen.totalCents)
        throw new Failure(409, 'Your store credit covers all of it. Pay with store credit.', 'credit_covers')
      const placed = orderId
        ? await openAgain(checkout, visitor, orderId, seen.totalCents)
        : await placeAndOpen(checkout, visitor, {
            userId: user.id,
            key: keyOf(header('idempotency-key') ?? crypto.randomUUID()),
            items: items ?? null,
            code: discount,
            seen,
            paymentMethod: method,
            credit: toCents(credit),
            goesOn: true,
            isProven: toCents(credit) === 0 || (await caller.isProven()),
          })
      try {
        const { ref: id, next } = await pay.startPayment(checkout, visitor, placed.orderId, placed.opened)
        return { id, orderId: placed.orderId, next }
      } catch (error) {
        // without a payment at the provider the order cannot be paid, so the cart comes back at once
        if (placed.isNew && !isConfirmable(error))
          await pay.cancelOrder(db, user.id, placed.orderId, 'the payment could not be started')
        throw error
      }
    }),

    handle(capturePayment, { limits }, async ({ id }, { user }) => {
      const { orderId, captured } = await pay.capturePayment(checkout, user.id, id)
      const order = await readOrder(pool, user.id, orderId)
      return asJson(`{"id":${JSON.stringify(id)},"status":"${captured}","orderId":"${orderId}","order":${order}}`)
    }),

    handle(cancelOrder, { limits }, async ({ id }, { user }) =>
      asJson(await readOrder(pool, user.id, await pay.cancelOrder(db, user.id, id, pay.CANCELED))),
    ),

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
    await pay.judgeOrEnd(checkout, visitor, orderId)
    await chargeWallet(checkout, orderId, wallet)
  } catch (error) {
    if (error instanceof Failure && error.code === 'out_of_stock')
      await pay.cancelOrder(checkout.db, userId, orderId, 'sold out')
    // the order stands and asks its buyer to confirm
    if (isConfirmable(error)) return
    throw error
  }
}

/** Opens a payment for an order that is the caller's and costs what the browser showed. */
async function openAgain(checkout: Checkout, visitor: Visitor, orderId: string, totalCents: number) {
  const order = await findOrder(checkout.db, orderId)
  if (order?.userId !== visitor.userId) throw new Failure(404, 'Not found')
  if (order.totalCents !== totalCents) throw new Failure(409, 'The order total has changed.', 'price_changed')
  const opened = await inTransaction(checkout.db, (tx) => pay.openPayment(tx, checkout, visitor, { orderId }))
  return { orderId, isNew: false, opened }
}

/** Pays by credit in the same transaction, or answers the wallet to charge: the one that the buyer was shown. */
function placeOrPay(
  checkout: Checkout,
  visitor: Visitor,
  placing: Proven,
  shownWalletId: string | null | undefined,
): Promise<{ orderId: string; wallet?: Wallet }> {
  return inTransaction(checkout.db, async (tx) => {
    const { orderId, isNew, isCovered } = await place(tx, placing)
    if (!isNew) return { orderId }
    const wallet = isCovered ? undefined : await findWallet(tx, placing.userId, checkout.providers.main.mode)
    if (!isCovered && shownWalletId !== undefined && shownWalletId !== (wallet?.id ?? null)) throw WALLET_CHANGED
    const { totalCents, creditCents } = (await findOrder(tx, orderId))!
    await demandProofFor(tx, { ...placing, orderId, savedCents: wallet ? totalCents : creditCents })
    if (isCovered) {
      await completeByCredit(tx, checkout, visitor, orderId)
      return { orderId }
    }
    return { orderId, wallet }
  })
}

/** Places an order and opens its payment in one transaction. A repeat does not hold up the buyer's next click. */
async function placeAndOpen(checkout: Checkout, visitor: Visitor, placing: Proven) {
  const open = (tx: Tx, placed: Placed) => pay.openPayment(tx, checkout, visitor, placed)
  const { opened, ...placed } = await inTransaction(checkout.db, async (tx) => {
    const placed = await placeOrReuse(tx, placing)
    const savedCents = placed.isNew ? Number(placing.credit) : 0
    await demandProofFor(tx, { ...placing, orderId: placed.orderId, savedCents })
    return { ...placed, opened: placed.isNew ? await open(tx, placed) : null }
  })
  return { ...placed, opened: opened ?? (await inTransaction(checkout.db, (tx) => open(tx, placed))) }
}

/** With an empty cart, reuses the pending order of the same sums. */
async function placeOrReuse(tx: Tx, placing: Placing): Promise<Placed> {
  try {
    return await place(tx, placing)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'cart_empty') throw error
    const open = await findPendingOrder(tx, placing.userId)
    if (open?.totalCents !== placing.seen.totalCents || open?.creditCents !== placing.credit) throw error
    return { orderId: open.id, isNew: false, isCovered: false }
  }
}
