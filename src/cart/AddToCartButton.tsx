import { Plus } from 'lucide-react'
import type { Product } from '../catalogue/catalogue.contract.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useAddToCart } from './useCart.ts'

/** One press, one copy in the cart. */
export function AddToCartButton({ product }: { product: Product }) {
  const { add, isAdding } = useAddToCart(product)
  return (
    <IconButton
      label={`Add ${product.title} to cart`}
      look="add"
      icon={<Plus className="icon" aria-hidden />}
      disabled={isAdding || !product.isActive}
      onClick={() => void add(1)}
    />
  )
}
