import { toCents } from '../kit/money.ts'
import { formatPrice } from './currency.rules.ts'
import { useCurrency } from './currency.client.ts'

/** A decimal string in USD, shown in the shopper's currency. */
export function Price({ usd, className = '' }: { usd: string; className?: string }) {
  const currency = useCurrency()
  return <span className={`price money ${className}`}>{formatPrice(toCents(usd), currency)}</span>
}
