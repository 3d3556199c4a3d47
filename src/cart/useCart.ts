import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Product } from '../catalogue/catalogue.contract.ts'
import { isConflict, reasonOf } from '../kit/failure.ts'
import { painted } from '../kit/painted.client.ts'
import { query } from '../kit/query/query.client.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { type CartItem, getCart } from './cart.contract.ts'
import type { CartChange } from './cart.rules.ts'
import { changeCart, useWithChanges } from './cartChanges.client.ts'

const NO_LINES: CartItem[] = []

export function useCart() {
  const {
    data = NO_LINES,
    isPending,
    isError,
    refetch,
  } = useQuery({ ...query(getCart, {}), refetchOnWindowFocus: 'always' })
  const items = useWithChanges(data)
  return { items, isPending, hasError: isError && data === NO_LINES, refetch: () => void refetch() }
}

type Added = Pick<
  Product,
  'id' | 'title' | 'description' | 'price' | 'suggested' | 'most' | 'imageUrl' | 'categoryId' | 'isActive'
>

export function useAddToCart(product: Added, isSafe?: (product: Added) => Promise<boolean>) {
  const [isAdding, setAdding] = useState(false)
  const [, navigate] = useLocation()
  const add = async (quantity: number, chosen?: string) => {
    // opens the product's page, where the shopper chooses a variant
    if (product.most) return navigate(`/product/${product.id}`)
    setAdding(true)
    await painted()
    if (isSafe && !(await isSafe(product))) return setAdding(false)
    const { id: productId, title, description, suggested, imageUrl, categoryId, isActive } = product
    const price = suggested ? (chosen ?? suggested) : product.price
    const line = { title, description, price, suggested, imageUrl, categoryId, isActive }
    const change = { kind: 'add', productId, quantity, product: line, ...(suggested && { price: chosen }) } as const
    const isDone = await attempt(change, 'Failed to add product to cart.')
    setAdding(false)
    if (!isDone) return
    toast({
      title: 'Added to cart',
      description: 'Product added to your cart successfully!',
      action: { label: 'View cart', hint: 'Open the cart from the top of any page', run: () => navigate('/cart') },
    })
  }
  return { add, isAdding }
}

export const setQuantity = ({ productId }: CartItem, quantity: number) =>
  attempt({ kind: 'quantity', productId, quantity }, 'Failed to update quantity.')

export const setPrice = ({ productId, quantity }: CartItem, price: string) =>
  attempt({ kind: 'quantity', productId, quantity, price }, 'Failed to change the price.')

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

/** Restores removed lines at their positions, oldest first. One notification shows the first failure. */
async function putBack(lines: CartItem[]) {
  const puts = lines.map(({ productId, quantity, product, addedAt }) =>
    changeCart({
      ...{ kind: 'add', productId, quantity, product, addedAt },
      ...(product.suggested && { price: product.price }),
    }),
  )
  const failed = (await Promise.allSettled(puts)).find((put) => put.status === 'rejected')
  if (failed) notifyOfFailure(failed.reason, 'Failed to add product to cart.')
}

async function attempt(change: CartChange, failure: string): Promise<boolean> {
  try {
    await changeCart(change)
    return true
  } catch (error) {
    notifyOfFailure(error, failure)
    return false
  }
}

const notifyOfFailure = (error: unknown, otherwise: string) =>
  toastFailure(error, reasonOf(error, isConflict) ?? otherwise)
