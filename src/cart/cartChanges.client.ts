import { useMemo } from 'react'
import { call } from '../kit/call.client.ts'
import { inOrder, keyOf, queryClient } from '../kit/query/query.client.ts'
import { createStore, useStore } from '../kit/store.client.ts'
import { addToCart, type CartItem, clearCart, getCart, removeFromCart, setCartQuantity } from './cart.contract.ts'
import { applyChange, type CartChange } from './cart.rules.ts'

// Changes of the cart that the server has not confirmed. The screen shows the last cart of the server with these
// changes applied. Removing a refused change from the list rolls it back.

/** Sends one request per changed quantity, not one per press. */
const DEBOUNCE_MS = 400

type Pending = {
  change: CartChange
  timer?: ReturnType<typeof setTimeout> | undefined
  send: () => void
  cancel: () => void
  done: Promise<void>
}

const cartKey = keyOf(getCart, {})
const pending = createStore<Pending[]>([])
const remove = (gone: Pending) => pending.set(pending.read().filter((one) => one !== gone))

const applyAll = (cart: CartItem[], changes: Pending[]) =>
  changes.reduce((shown, { change }) => applyChange(shown, change), cart)

export const withChanges = (cart: CartItem[]): CartItem[] => applyAll(cart, pending.read())
export function useWithChanges(cart: CartItem[]): CartItem[] {
  const changes = useStore(pending)
  return useMemo(() => applyAll(cart, changes), [cart, changes])
}

/**
 * Shows a change at once and sends it. Resolves when the server has applied it. Rejects with the Failure after a
 * rollback. Debounces a quantity: a later quantity for the same product replaces it.
 */
export function changeCart(asked: CartChange): Promise<void> {
  const change = withRestingPrice(asked)
  if (change.kind !== 'add') cancelResting(change)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const entry: Pending = {
    change,
    done: promise,
    cancel() {
      clearTimeout(entry.timer)
      remove(entry)
      resolve()
    },
    send() {
      clearTimeout(entry.timer)
      entry.timer = undefined
      entry.send = () => undefined
      inOrder('cart', () => carryOut(entry)).then(resolve, reject)
    },
  }
  pending.set([...pending.read(), entry])
  if (change.kind === 'quantity') entry.timer = setTimeout(() => entry.send(), DEBOUNCE_MS)
  else entry.send()
  return promise
}

/** Sends debounced quantities and waits for all responses. Call it before a payment. */
export async function settleCart(): Promise<void> {
  for (const entry of pending.read()) entry.send()
  await Promise.allSettled(pending.read().map(({ done }) => done))
}

/** Adds the price of a debounced change to the quantity that replaces it. */
function withRestingPrice(change: CartChange): CartChange {
  if (change.kind !== 'quantity' || change.price !== undefined) return change
  const resting = pending.read().find(({ change: one, timer }) => {
    return timer !== undefined && one.kind === 'quantity' && one.productId === change.productId
  })?.change
  return resting?.kind === 'quantity' ? { ...change, price: resting.price } : change
}

function cancelResting(later: CartChange) {
  for (const entry of pending.read()) {
    const { change, timer } = entry
    const isReplaced = change.kind === 'quantity' && 'productId' in later && change.productId === later.productId
    if (timer !== undefined && (later.kind === 'clear' || isReplaced)) entry.cancel()
  }
}

async function carryOut(entry: Pending) {
  try {
    const cart = await sendChange(entry.change)
    // a read that started earlier would restore the cart without this change
    await queryClient.cancelQueries({ queryKey: cartKey })
    if (cart) queryClient.setQueryData(cartKey, cart)
    otherTabs?.postMessage('changed')
  } catch (error) {
    // another tab may have changed the cart, so read it again
    void queryClient.invalidateQueries({ queryKey: cartKey })
    throw error
  } finally {
    remove(entry)
  }
}

async function sendChange(change: CartChange): Promise<CartItem[] | undefined> {
  if (change.kind === 'add') {
    const { productId, quantity, price, addedAt } = change
    const chosen = { ...(price !== undefined && { price }), ...(addedAt !== undefined && { addedAt }) }
    return call(addToCart, { productId, quantity, ...chosen })
  }
  if (change.kind === 'clear') return call(clearCart, {})
  const cart = queryClient.getQueryData<CartItem[]>(cartKey) ?? []
  const line = cart.find(({ productId }) => productId === change.productId)
  if (!line) return undefined
  if (change.kind === 'remove') return call(removeFromCart, { id: line.id })
  const { quantity, price } = change
  return line.quantity === quantity && (price === undefined || price === line.product.price)
    ? undefined
    : call(setCartQuantity, { id: line.id, quantity, ...(price !== undefined && { price }) })
}

// Notifies the other tabs of this browser. Other browsers read the cart when they get the focus, because a database
// notification for each change would reduce the throughput of changes by two thirds.
const otherTabs = typeof document === 'undefined' ? undefined : new BroadcastChannel('cart')
if (otherTabs) {
  otherTabs.onmessage = () => void queryClient.invalidateQueries({ queryKey: cartKey })
  // sends a quantity that the shopper typed just before leaving the page
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void settleCart()
  })
}
