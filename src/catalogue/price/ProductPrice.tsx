import { toCents } from '../../kit/money.ts'
import { Price } from '../../localisation/Price.tsx'
import type { Product } from '../catalogue.contract.ts'

type ProductPriceProps = { product: Pick<Product, 'price' | 'suggested' | 'most'>; className?: string }

/** Shows a price: 'Free', 'From $3.00' if buyers choose price or variant, 'Name your price' if it may be zero. */
export function ProductPrice({ product: { price, suggested, most }, className = '' }: ProductPriceProps) {
  const isFrom = suggested || (most && most !== price)
  if (toCents(price) === 0 && !(most && isFrom))
    return <span className={`price ${className}`}>{suggested ? 'Name your price' : 'Free'}</span>
  return <Price usd={price} before={isFrom ? 'From ' : ''} className={className} />
}
