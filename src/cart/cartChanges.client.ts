import { useMemo } from 'react'
import { call } from '../kit/call.client.ts'
import { inOrder, keyOf, queryClient } from '../kit/query/query.client.ts'
import { createStore, useStore } from '../kit/store.client.ts'
import { addToCart, type CartItem, clearCart, getCart, removeFromCart, setCartQuantity } from './cart.contract.ts'
import { applyChange, type CartChange } from './cart.rules.ts'

// Changes of the cart that the server has not confirmed. The cart on screen is the server's last answer with these
// applied, so removing a refused change from the list rolls it back.

/** One request for each settled change, not one for each key. */
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
 * Shows a change at once and sends it. Resolves when the server has made it; rejects with the Failure after the change
 * was rolled back. A quantity rests first, and a later one for the same product replaces it.
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

/** Sends resting quantities and waits for every answer. Call it before a payment. */
export async function settleCart(): Promise<void> {
  for (const entry of pending.read()) entry.send()
  await Promise.allSettled(pending.read().map(({ done }) => done))
}

/** A quantity that replaces a resting one keeps the price that was chosen with that. */
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
    // a read that started earlier would bring back the cart without this change
    await queryClient.cancelQueries({ queryKey: cartKey })
    if (cart) queryClient.setQueryData(cartKey, cart)
    otherTabs?.postMessage('changed')
  } catch (error) {
    // another tab may have changed the cart: show what the server has
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

// The other tabs of this browser. A browser elsewhere reads the cart again when it gets the focus: a notification from the
// database for each change would cost two thirds of the changes that the server can make in a second.
const otherTabs = typeof document === 'undefined' ? undefined : new BroadcastChannel('cart')
if (otherTabs) {
  otherTabs.onmessage = () => void queryClient.invalidateQueries({ queryKey: cartKey })
  // keeps a quantity that was typed just before the page is left
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void settleCart()
  })
}
