import { Field } from '../../ui/form/Field.tsx'
import type { AddProductForm } from './addProduct.rules.ts'
import { priceProblem, readPrice, stepPrice } from '../price.rules.ts'

type PriceFieldProps = { form: AddProductForm; error: string | undefined }

/**
 * The price in USD. A text field, because a number field of an English browser reads '12,50' as 1250. Leaving the field
 * rewrites the price as understood; the arrow keys step by a cent.
 */
export function PriceField({ form, error }: PriceFieldProps) {
  const put = (price: string) =>
    form.setValue('price', price, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  const field = form.register('price', {
    onBlur: () => {
      const price = readPrice(form.getValues('price'))
      if (!priceProblem(price)) put(price)
    },
  })
  return (
    <Field label="Price" note="USD" error={error}>
      {(control) => (
        <div className="affix affix--sign">
          <span className="affix__sign" aria-hidden>
            $
          </span>
          <input
            className="input num"
            type="text"
            inputMode="decimal"
            step="0.01"
            maxLength={40}
            autoComplete="off"
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
              event.preventDefault()
              put(stepPrice(event.currentTarget.value, event.key === 'ArrowUp' ? 1 : -1))
            }}
            {...control}
            {...field}
          />
        </div>
      )}
    </Field>
  )
}
