import { formatPrice, USD } from './currency.rules.ts'
import { usd } from './usd.rules.ts'
import { useCurrency } from './currency.client.ts'

export function ChargedInDollars({ cents }: { cents: number }) {
  const currency = useCurrency()
  if (currency.code === USD.code) return null
  return (
    <p className="small muted">
      You pay {usd(cents)} in US dollars, about {formatPrice(cents, currency)}.
    </p>
  )
}
