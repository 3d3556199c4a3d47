import { toCents } from '../../kit/money.ts'
import { Price } from '../../localisation/Price.tsx'
import type { Product } from '../catalogue.contract.ts'

type ProductPriceProps = { product: Pick<Product, 'price' | 'suggested'>; className?: string }

/** What a product costs: 'Free', 'From $3.00' where buyers choose the price, 'Name your price' where it may be nothing. */
export function ProductPrice({ product: { price, suggested }, className = '' }: ProductPriceProps) {
  if (toCents(price) === 0)
    return <span className={`price ${className}`}>{suggested ? 'Name your price' : 'Free'}</span>
  return <Price usd={price} before={suggested ? 'From ' : ''} className={className} />
}
