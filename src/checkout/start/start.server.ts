import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toCents } from '../../kit/money.ts'
import { findPendingOrder } from '../../orders/orders.store.server.ts'
import { defaultMethod, offeredMethod, rememberUsed } from '../../payments/methods/choice.store.server.ts'
import type { Provider } from '../../payments/provider.ts'
import type { Visitor } from '../../risk/risk.server.ts'
import { startPayment } from '../checkout.contract.ts'
import type { Checkout } from '../context.server.ts'
import * as pay from '../pay.server.ts'
import { place, type Placed, type Placing } from '../place.server.ts'
import { demandProofFor } from '../proof.server.ts'
import { isConfirmable, visitorOf } from '../risk.server.ts'
import { CODE_OF_CART, demandEnough, findOwn, keyOf, limits, type Proven } from './demands.server.ts'

const NOTHING_DUE = new Failure(409, 'There is nothing to pay for this. Please look at your cart again.', 'nothing_due')

export function startRoute(checkout: Checkout): Route {
  const { db, providers } = checkout
  return handle(
    startPayment,
    { limits },
    async ({ amount, credit = '0', orderId, items, discount, method: named }, caller) => {
      if (discount && !items) throw CODE_OF_CART
      const asked = named === undefined ? null : offeredMethod(providers, named)
      const { user, header } = caller
      const visitor = await visitorOf(checkout, caller)
      await checkout.risk.admit(db, visitor)
      const seen = { totalCents: toCents(amount) }
      // providers reject a payment of $0
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
        // The order cannot be paid without a payment at the provider, so it ends and its cart is restored. If another
        // tab replaced this payment, the order is paid there.
        if (placed.isNew && !isConfirmable(error) && error !== pay.ENDED_MEANWHILE)
          await pay.cancelOrder(checkout, user.id, placed.orderId, 'start_failed')
        throw error
      }
    },
  )
}

/** Opens a payment for an earlier order. It must belong to the caller and cost the amount shown in the browser. */
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

/** Places an order and opens its payment in one transaction. A retry does not delay the buyer's next click. */
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

/** Reuses the pending order with the same sums if the cart is empty. */
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
