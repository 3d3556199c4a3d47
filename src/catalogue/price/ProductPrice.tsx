import { toCents } from '../../kit/money.ts'
import { Price } from '../../localisation/Price.tsx'
import type { Product } from '../catalogue.contract.ts'

type ProductPriceProps = { product: Pick<Product, 'price' | 'suggested' | 'most'>; className?: string }

/** What a product costs: 'Free', 'From $3.00' where buyers choose the price or a variant, 'Name your price' where it may be nothing. */
export function ProductPrice({ product: { price, suggested, most }, className = '' }: ProductPriceProps) {
  const isFrom = suggested || (most && most !== price)
  if (toCents(price) === 0 && !(most && isFrom))
    return <span className={`price ${className}`}>{suggested ? 'Name your price' : 'Free'}</span>
  return <Price usd={price} before={isFrom ? 'From ' : ''} className={className} />
}
