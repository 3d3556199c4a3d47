import { toCents } from '../kit/money.ts'
import { type CartItem, MAX_QUANTITY } from './cart.contract.ts'

/** A change that the server has not confirmed yet. `productId` names its line. */
export type CartChange =
  | { kind: 'add'; productId: string; quantity: number; product: CartItem['product'] }
  | { kind: 'quantity'; productId: string; quantity: number }
  | { kind: 'remove'; productId: string }
  | { kind: 'clear' }

/** The cart as the server will have it after the change. */
export function applyChange(cart: CartItem[], change: CartChange): CartItem[] {
  if (change.kind === 'clear') return []
  const { productId } = change
  if (change.kind === 'remove') return cart.filter((line) => line.productId !== productId)
  const has = cart.some((line) => line.productId === productId)
  if (!has) return change.kind === 'add' ? [...cart, newLine(change)] : cart
  return cart.map((line) => {
    if (line.productId !== productId) return line
    const quantity = change.kind === 'add' ? line.quantity + change.quantity : change.quantity
    return { ...line, quantity: Math.min(quantity, MAX_QUANTITY) }
  })
}

// the product's id stands in for the line's until the server has answered
const newLine = ({ productId, quantity, product }: CartChange & { kind: 'add' }): CartItem => ({
  id: productId,
  productId,
  quantity,
  product,
})

export const lineCents = ({ product, quantity }: CartItem): number => toCents(product.price) * quantity

export const cartCents = (cart: CartItem[]): number => cart.reduce((sum, line) => sum + lineCents(line), 0)
