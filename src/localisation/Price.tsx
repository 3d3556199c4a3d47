import { toCents } from '../kit/money.ts'
import { formatPrice } from './currency.rules.ts'
import { useCurrency } from './currency.client.ts'

type PriceProps = { usd: string; before?: string; className?: string }

export function Price({ usd, before = '', className = '' }: PriceProps) {
  const currency = useCurrency()
  return <span className={`price money ${className}`}>{before + formatPrice(toCents(usd), currency)}</span>
}
