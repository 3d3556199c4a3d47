import { DollarField } from '../catalogue/price/DollarField.tsx'
import { readPrice, priceProblem } from '../catalogue/price.rules.ts'
import { toCents } from '../kit/money.ts'
import { Switch } from '../ui/form/Switch.tsx'
import type { EditForm } from './useEdit.ts'

const isFree = (price: string) => !priceProblem(price, { mayBeFree: true }) && toCents(price) === 0

export function PriceField({ form }: { form: EditForm }) {
  const { price, suggested } = form.values
  const isFixed = suggested === null
  const hint =
    isFixed && isFree(readPrice(price))
      ? 'Free: each member gets one copy without a payment. Only files can be free.'
      : null
  return <DollarField label={isFixed ? 'Price' : 'Minimum price'} hint={hint} {...priceOf(form, 'price')} />
}

export function PriceChoice({ form }: { form: EditForm }) {
  const { price, suggested } = form.values
  const read = readPrice(price)
  const start = priceProblem(read) ? '' : read
  return (
    <>
      <Switch
        label="Let buyers choose the price"
        hint="They see your suggestion, and pay your minimum or more."
        isOn={suggested !== null}
        onChange={(isOn) => form.put({ suggested: isOn ? start : null })}
      />
      {suggested !== null && (
        <DollarField
          label="Suggested price"
          hint="Shown first. A minimum of 0 lets buyers take it for nothing, one copy each."
          {...priceOf(form, 'suggested')}
        />
      )}
    </>
  )
}

/** When the field loses focus, it shows the price as the shop reads it. */
const priceOf = (form: EditForm, name: 'price' | 'suggested') => ({
  error: form.errorOf(name),
  ...form.field(name, {
    onBlur: () => {
      const price = readPrice(form.values[name] ?? '')
      if (!priceProblem(price, { mayBeFree: true })) form.put({ [name]: price })
    },
  }),
})
