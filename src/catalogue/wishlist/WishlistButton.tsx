import { Heart } from 'lucide-react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Product } from '../catalogue.contract.ts'
import { save, unsave, useWishlist } from './useWishlist.ts'

export function WishlistButton({ product }: { product: Product }) {
  const { data: list } = useWishlist()
  const saved = list?.find(({ id }) => id === product.id)
  return (
    <IconButton
      label="Save"
      aria-pressed={saved !== undefined}
      icon={<Heart className={`icon ${saved ? 'is-full' : ''}`} aria-hidden />}
      onClick={() => void (saved ? unsave(saved) : save(product))}
    />
  )
}
