import { DollarField } from '../catalogue/price/DollarField.tsx'
import { readPrice, priceProblem } from '../catalogue/price.rules.ts'
import { toCents } from '../kit/money.ts'
import { Switch } from '../ui/form/Switch.tsx'
import type { FieldName, Values } from './edit.rules.ts'

type PriceProps = {
  values: Values
  problems: Partial<Record<FieldName, string>>
  put: (change: Partial<Values>) => void
}

const isFree = (price: string) => !priceProblem(price, { mayBeFree: true }) && toCents(price) === 0

export function PriceField({ values: { price, suggested }, problems, put }: PriceProps) {
  const read = readPrice(price)
  const hint =
    isFree(read) && suggested === null
      ? 'Free: each member gets one copy without a payment. Only files can be free.'
      : null
  return (
    <DollarField
      label={suggested === null ? 'Price' : 'Minimum price'}
      value={price}
      error={problems.price}
      hint={hint}
      onChange={(typed) => put({ price: typed })}
      onLeave={tidy(price, (tidied) => put({ price: tidied }))}
    />
  )
}

export function PriceChoice({ values: { price, suggested }, problems, put }: PriceProps) {
  const read = readPrice(price)
  const start = priceProblem(read) ? '' : read
  return (
    <>
      <Switch
        label="Let buyers choose the price"
        hint="They see your suggestion, and pay your minimum or more."
        isOn={suggested !== null}
        onChange={(isOn) => put({ suggested: isOn ? start : null })}
      />
      {suggested !== null && (
        <DollarField
          label="Suggested price"
          value={suggested}
          error={problems.suggested}
          hint="Shown first. A minimum of 0 lets buyers take it for nothing, one copy each."
          onChange={(typed) => put({ suggested: typed })}
          onLeave={tidy(suggested, (tidied) => put({ suggested: tidied }))}
        />
      )}
    </>
  )
}

const tidy = (typed: string, put: (price: string) => void) => () => {
  const price = readPrice(typed)
  if (!priceProblem(price, { mayBeFree: true })) put(price)
}
