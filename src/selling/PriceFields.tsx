import { readPrice, priceProblem } from '../catalogue/price.rules.ts'
import { toCents } from '../kit/money.ts'
import { Field } from '../ui/form/Field.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import type { FieldName, Values } from './edit.rules.ts'

type PriceProps = {
  values: Values
  problems: Partial<Record<FieldName, string>>
  put: (change: Partial<Values>) => void
}

const isFree = (price: string) => !priceProblem(price, { mayBeFree: true }) && toCents(price) === 0

/** The price, or the least where buyers choose it. */
export function PriceField({ values: { price, suggested }, problems, put }: PriceProps) {
  const read = readPrice(price)
  const hint =
    isFree(read) && suggested === null
      ? 'Free: each member gets one copy without a payment. Only files can be free.'
      : null
  return (
    <Dollars
      label={suggested === null ? 'Price' : 'Minimum price'}
      value={price}
      error={problems.price}
      hint={hint}
      onChange={(typed) => put({ price: typed })}
    />
  )
}

/** Lets buyers choose the price, with a suggestion. */
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
        <Dollars
          label="Suggested price"
          value={suggested}
          error={problems.suggested}
          hint="Shown first. A minimum of 0 lets buyers take it for nothing, one copy each."
          onChange={(typed) => put({ suggested: typed })}
        />
      )}
    </>
  )
}

type DollarsProps = {
  label: string
  value: string
  error: string | undefined
  hint: string | null
  onChange: (typed: string) => void
}

const Dollars = ({ label, value, error, hint, onChange }: DollarsProps) => (
  <Field label={label} note="USD" {...(error && { error })} {...(hint && { hint })}>
    {(control) => (
      <div className="affix affix--sign">
        <span className="affix__sign" aria-hidden>
          $
        </span>
        <input
          className="input num"
          inputMode="decimal"
          maxLength={40}
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onBlur={() => {
            const price = readPrice(value)
            if (!priceProblem(price, { mayBeFree: true })) onChange(price)
          }}
          {...control}
        />
      </div>
    )}
  </Field>
)
