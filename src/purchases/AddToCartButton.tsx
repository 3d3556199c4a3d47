import { Plus } from 'lucide-react'
import type { Product } from '../catalogue/catalogue.contract.ts'
import { toCents } from '../kit/money.ts'
import { report } from '../kit/watch/caught.client.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { useAddToCart } from '../cart/useCart.ts'

// loads the payment check after the first paint or when the pointer comes near, so that the first load stays small
const loadCheck = () => import('../risk/paymentCheck.client.ts')
const near = () => void loadCheck().catch(() => undefined)
setTimeout(near, 3000)

export function AddToCartButton({ product }: { product: Product }) {
  const { add, isAdding } = useAddToCart(product, isSafe)
  return (
    <IconButton
      label={product.most ? `Choose a variant of ${product.title}` : `Add ${product.title} to cart`}
      look="add"
      icon={<Plus className="icon" aria-hidden />}
      disabled={isAdding || !product.isActive}
      onPointerEnter={near}
      onTouchStart={near}
      onFocus={near}
      onClick={() => void add(1)}
    />
  )
}

/** The payment-safety check of the specification, before a product enters the cart. */
export async function isSafe({ price }: Pick<Product, 'price'>): Promise<boolean> {
  try {
    const { checkPayment } = await loadCheck()
    return checkPayment(toCents(price))
  } catch (error) {
    report({ error })
    toastFailure(error, 'Unable to add to cart. Please try again.')
    return false
  }
}
