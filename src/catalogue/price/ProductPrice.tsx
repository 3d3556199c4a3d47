import { toCents } from '../../kit/money.ts'
import { useCurrency } from '../../localisation/currency.client.ts'
import { formatPrice } from '../../localisation/currency.rules.ts'
import type { Product } from '../catalogue.contract.ts'

type ProductPriceProps = { product: Pick<Product, 'price' | 'suggested'>; className?: string }

/** What a product costs: 'Free', 'From $3.00' where buyers choose the price, 'Name your price' where it may be nothing. */
export function ProductPrice({ product: { price, suggested }, className = '' }: ProductPriceProps) {
  const currency = useCurrency()
  const cents = toCents(price)
  const least = formatPrice(cents, currency)
  const text = cents === 0 ? (suggested ? 'Name your price' : 'Free') : suggested ? `From ${least}` : least
  return <span className={`price money ${className}`}>{text}</span>
}
