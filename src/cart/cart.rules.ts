import { toCents } from '../kit/money.ts'
import { type CartItem, MAX_QUANTITY } from './cart.contract.ts'

/** A change that the server has not confirmed yet. `productId` identifies its line. `price` is the chosen price. */
export type CartChange =
  | {
      kind: 'add'
      productId: string
      quantity: number
      product: CartItem['product']
      price?: string | undefined
      addedAt?: string | undefined
    }
  | { kind: 'quantity'; productId: string; quantity: number; price?: string | undefined }
  | { kind: 'remove'; productId: string }
  | { kind: 'clear' }

export function applyChange(cart: CartItem[], change: CartChange): CartItem[] {
  if (change.kind === 'clear') return []
  const { productId } = change
  if (change.kind === 'remove') return cart.filter((line) => line.productId !== productId)
  const has = cart.some((line) => line.productId === productId)
  if (!has) return change.kind === 'add' ? withLine(cart, newLine(change)) : cart
  return cart.map((line) => {
    if (line.productId !== productId) return line
    const quantity = change.kind === 'add' ? line.quantity + change.quantity : change.quantity
    const product = change.price === undefined ? line.product : { ...line.product, price: change.price }
    return { ...line, product, quantity: Math.min(quantity, mostOf(product)) }
  })
}

/** Returns the maximum quantity. A member gets only one copy of a free product. */
export const mostOf = ({ price }: CartItem['product']): number => (toCents(price) === 0 ? 1 : MAX_QUANTITY)

function withLine(cart: CartItem[], line: CartItem): CartItem[] {
  const { addedAt } = line
  const next = addedAt === undefined ? -1 : cart.findIndex((other) => other.addedAt && other.addedAt > addedAt)
  return next === -1 ? [...cart, line] : cart.toSpliced(next, 0, line)
}

/** Returns the title of a bundle in the cart that contains the line's product. Each copy of the line is then a gift. */
export const bundleWith = (cart: CartItem[], { productId, product: { price } }: CartItem): string | undefined =>
  // free copies cannot become gifts
  toCents(price) > 0 ? cart.find(({ product }) => product.onceIds?.includes(productId))?.product.title : undefined

// uses the product's id as the id of the line until the server has responded
const newLine = ({ productId, quantity, product, addedAt }: CartChange & { kind: 'add' }): CartItem => ({
  id: productId,
  productId,
  quantity,
  product,
  ...(addedAt !== undefined && { addedAt }),
})

export const lineCents = ({ product, quantity }: CartItem): number => toCents(product.price) * quantity

export const cartCents = (cart: CartItem[]): number => cart.reduce((sum, line) => sum + lineCents(line), 0)
