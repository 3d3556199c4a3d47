import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../kit/query/query.client.ts'
import { Select } from '../ui/form/Select.tsx'
import { CURRENCIES, currencyOf, pickCurrency } from './currencies.rules.ts'
import { USD } from './currency.rules.ts'
import { formatMoment } from './dates.rules.ts'
import { chooseCurrency, chosenCode } from './followCurrency.client.ts'
import { getLocation, getRates } from './localisation.contract.ts'

const BY_COUNTRY = 'country'
const names = new Intl.DisplayNames(['en'], { type: 'currency' })

export function CurrencyPicker() {
  const [chosen, setChosen] = useState(chosenCode)
  const { data: place } = useQuery(query(getLocation, {}))
  const { data } = useQuery(query(getRates, {}))
  const rates = data?.rates ?? {}
  const known = CURRENCIES.filter((code) => code === USD.code || pickCurrency(code, rates) !== USD)
  const own = pickCurrency(currencyOf(place?.country_code ?? ''), rates).code
  const shown = chosen !== null && known.includes(chosen) ? chosen : BY_COUNTRY
  const choose = (code: string | null) => {
    setChosen(code)
    void chooseCurrency(code)
  }
  return (
    <div className="list__row row--wrap row--between">
      <span className="grow">
        <strong>Currency</strong>
        <small>{hintOf(data?.readAt?.[shown === BY_COUNTRY ? own : shown] ?? data?.updatedAt)}</small>
      </span>
      <Select
        aria-label="Currency"
        value={shown}
        onChange={({ target: { value } }) => choose(value === BY_COUNTRY ? null : value)}
        options={[
          { value: BY_COUNTRY, label: `By country (${own})` },
          ...known.map((code) => ({ value: code, label: `${code}, ${names.of(code)}` })),
        ]}
      />
    </div>
  )
}

function hintOf(updatedAt: string | null | undefined): string {
  if (updatedAt) return `Rates of ${formatMoment(updatedAt)}. You pay in US dollars.`
  return updatedAt === null ? 'Prices are in US dollars.' : 'You pay in US dollars.'
}
