import { toCents } from '../kit/money.ts'
import { formatPrice } from './currency.rules.ts'
import { useCurrency } from './useCurrency.ts'

/** A price in the customer's currency, from a decimal string in USD. */
export function Price({ usd, className = '' }: { usd: string; className?: string }) {
  const currency = useCurrency()
  return <span className={`price money ${className}`}>{formatPrice(toCents(usd), currency)}</span>
}
