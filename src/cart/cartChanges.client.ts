import { call } from '../kit/call.client.ts'
import { keyOf, queryClient } from '../kit/query.client.ts'
import { addToCart, type CartItem, clearCart, getCart, removeFromCart, setCartQuantity } from './cart.contract.ts'
import type { CartChange } from './cart.rules.ts'

// Where changes of the cart wait for the server. The cart on screen is the server's last answer with these applied, so
// that a refusal takes its change back by itself. They go out one after another, and each product is one line.

/** How long a quantity rests before it is sent, in milliseconds: one request per settled change, not one per key. */
const REST = 400

type Waiting = {
  change: CartChange
  timer?: ReturnType<typeof setTimeout>
  send: () => void
  drop: () => void
  done: Promise<void>
}

const cartKey = keyOf(getCart, {})
let waiting: Waiting[] = []
let shown: CartChange[] = []
let queue: Promise<unknown> = Promise.resolve()
const watchers = new Set<() => void>()

/** The changes that the server has not confirmed yet, oldest first. */
export const readChanges = (): CartChange[] => shown

export function watchChanges(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/**
 * Shows a change of the cart at once and sends it. Ends when the server has made it; rejects with the Failure after the
 * change was taken back. A quantity first rests, and a later one for the same product takes its place.
 */
export function changeCart(change: CartChange): Promise<void> {
  if (change.kind !== 'add') dropResting(change)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const entry: Waiting = {
    change,
    done: promise,
    drop: () => {
      clearTimeout(entry.timer)
      resolve()
    },
    send: () => {
      clearTimeout(entry.timer)
      entry.timer = undefined
      entry.send = () => undefined
      queue = queue.then(() => carryOut(entry)).then(resolve, reject)
    },
  }
  waiting = [...waiting, entry]
  if (change.kind === 'quantity') entry.timer = setTimeout(() => entry.send(), REST)
  else entry.send()
  tell()
  return promise
}

/** Sends what still rests and ends when the server has answered everything; call it before anything is paid. */
export async function settleCart(): Promise<void> {
  for (const entry of waiting) entry.send()
  await Promise.allSettled(waiting.map(({ done }) => done))
}

/** A change that a later one makes pointless is never sent. */
function dropResting(later: CartChange) {
  const isPointless = ({ change, timer }: Waiting) =>
    timer !== undefined &&
    (later.kind === 'clear' ||
      (change.kind === 'quantity' && 'productId' in later && change.productId === later.productId))
  for (const entry of waiting.filter(isPointless)) entry.drop()
  waiting = waiting.filter((entry) => !isPointless(entry))
}

async function carryOut(entry: Waiting) {
  try {
    const cart = await sendChange(entry.change)
    // a read that was under way would bring back the cart from before
    await queryClient.cancelQueries({ queryKey: cartKey })
    if (cart) queryClient.setQueryData(cartKey, cart)
  } catch (error) {
    // the cart may have been changed elsewhere: what is shown again should be what the shop has
    void queryClient.invalidateQueries({ queryKey: cartKey })
    throw error
  } finally {
    waiting = waiting.filter((other) => other !== entry)
    tell()
  }
}

/** Answers the cart after the change, or nothing when there was nothing to change. */
async function sendChange(change: CartChange): Promise<CartItem[] | undefined> {
  if (change.kind === 'add') return call(addToCart, { productId: change.productId, quantity: change.quantity })
  if (change.kind === 'clear') return call(clearCart, {})
  const cart = queryClient.getQueryData<CartItem[]>(cartKey) ?? []
  const line = cart.find(({ productId }) => productId === change.productId)
  if (!line) return undefined
  if (change.kind === 'remove') return call(removeFromCart, { id: line.id })
  return line.quantity === change.quantity
    ? undefined
    : call(setCartQuantity, { id: line.id, quantity: change.quantity })
}

function tell() {
  shown = waiting.map(({ change }) => change)
  for (const changed of watchers) changed()
}

// a quantity typed just before the page is left is not lost
if (typeof document !== 'undefined')
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void settleCart()
  })
