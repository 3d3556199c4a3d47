import { useState } from 'react'
import { toCents, toDecimal } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { DollarField } from './DollarField.tsx'
import { amountsOffered, chosenProblem } from './choice.rules.ts'
import { readPrice } from '../price.rules.ts'

type ChosenPriceProps = {
  /** Decimal strings: the minimum and the seller's suggestion. */
  least: string
  suggested: string
  value: string
  label?: string
  /** Called with an empty string while the typed price is invalid. */
  onChange: (price: string) => void
}

export function ChosenPrice({ least, suggested, value, label = 'You choose the price', onChange }: ChosenPriceProps) {
  const [typed, setTyped] = useState(value)
  const leastCents = toCents(least)
  const price = readPrice(typed)
  const problem = chosenProblem(price, leastCents)
  const put = (text: string) => {
    setTyped(text)
    const next = readPrice(text)
    onChange(chosenProblem(next, leastCents) ? '' : toDecimal(toCents(next)))
  }
  return (
    <div className="stack gap-2">
      <DollarField
        label={label}
        value={typed}
        error={problem}
        hint={leastCents > 0 ? `${usd(leastCents)} or more.` : 'Nothing is fine too.'}
        onChange={({ target }) => put(target.value)}
        onBlur={() => !problem && setTyped(toDecimal(toCents(price)))}
      />
      <div className="row gap-2" role="group" aria-label="Amounts">
        {amountsOffered(leastCents, toCents(suggested)).map((cents) => (
          <button
            key={cents}
            type="button"
            className="chip"
            aria-pressed={!problem && toCents(price) === cents}
            onClick={() => put(toDecimal(cents))}
          >
            {usd(cents)}
          </button>
        ))}
      </div>
    </div>
  )
}
