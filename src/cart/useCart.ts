import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, useSyncExternalStore } from 'react'
import type { Product } from '../catalogue/catalogue.contract.ts'
import { Failure } from '../kit/failure.ts'
import { painted } from '../kit/painted.client.ts'
import { query } from '../kit/query.client.ts'
import { toast, toastFailure } from '../ui/toast.client.ts'
import { type CartItem, getCart } from './cart.contract.ts'
import { applyChange, type CartChange } from './cart.rules.ts'
import { changeCart, readChanges, watchChanges } from './cartChanges.client.ts'

/** The cart as the customer means it: the server's, with what was just done already applied. */
export function useCart() {
  const { data, isPending, isError, isFetching, refetch } = useQuery(query(getCart, {}))
  const changes = useSyncExternalStore(watchChanges, readChanges)
  const items = useMemo(() => changes.reduce(applyChange, data ?? []), [data, changes])
  return { items, isPending, hasError: isError && !data, isFetching, refetch: () => void refetch() }
}

/** Adds a product; `isAdding` until the server has answered. `isSafe` may refuse before, and then says why. */
export function useAddToCart(product: Product, isSafe?: (product: Product) => Promise<boolean>) {
  const [isAdding, setAdding] = useState(false)
  const add = async (quantity: number) => {
    setAdding(true)
    await painted()
    if (isSafe && !(await isSafe(product))) return setAdding(false)
    const { id: productId, title, description, price, imageUrl, categoryId, isActive } = product
    const line = { title, description, price, imageUrl, categoryId, isActive }
    const isDone = await attempt({ kind: 'add', productId, quantity, product: line }, 'Failed to add product to cart.')
    setAdding(false)
    if (isDone) toast({ title: 'Added to cart', description: 'Product added to your cart successfully!' })
  }
  return { add, isAdding }
}

export const setQuantity = ({ productId }: CartItem, quantity: number) =>
  attempt({ kind: 'quantity', productId, quantity }, 'Failed to update quantity.')

export async function removeLine(line: CartItem) {
  if (!(await attempt({ kind: 'remove', productId: line.productId }, 'Failed to remove item.'))) return
  toast({ title: 'Removed', description: 'Item removed from cart.', action: undo([line]) })
}

export async function clearLines(lines: CartItem[]) {
  if (!(await attempt({ kind: 'clear' }, 'Failed to clear cart.'))) return
  toast({ title: 'Cart cleared', description: 'All items removed from cart.', action: undo(lines) })
}

const undo = (lines: CartItem[]) => ({
  label: 'Undo',
  hint: 'To undo, add the product to your cart again',
  run: () => void putBack(lines),
})

/** What was taken out goes back in, oldest first. One notification tells of the first that does not. */
async function putBack(lines: CartItem[]) {
  const puts = lines.map(({ productId, quantity, product }) =>
    changeCart({ kind: 'add', productId, quantity, product }),
  )
  const failed = (await Promise.allSettled(puts)).find((put) => put.status === 'rejected')
  if (failed) toastFailure(failed.reason, reasonOf(failed.reason) ?? 'Failed to add product to cart.')
}

/** What the shop said against a change that the cart's state does not allow: 'At most 9,999 of one product.' */
function reasonOf(error: unknown): string | undefined {
  const reason = error instanceof Failure && error.status === 409 ? error.details?.message : undefined
  return typeof reason === 'string' ? reason : undefined
}

/** Makes a change; says what failed and answers whether it was made. */
async function attempt(change: CartChange, failure: string): Promise<boolean> {
  try {
    await changeCart(change)
    return true
  } catch (error) {
    toastFailure(error, reasonOf(error) ?? failure)
    return false
  }
}
