import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'
import { AddProductAnalysis } from './AddProductAnalysis.tsx'
import type { AddProductValues } from './AddProductDialog.tsx'
import type { NewProduct } from './newProduct.contract.ts'
import { useCategories } from './useCatalogue.ts'

/** Title, description, price and category. */
export function AddProductFields({ form }: { form: UseFormReturn<AddProductValues, unknown, NewProduct> }) {
  const { data: categories = [] } = useCategories()
  const { register, setFocus, formState } = form
  const error = (name: keyof AddProductValues) => formState.errors[name]?.message

  useEffect(() => {
    // on a phone the keyboard would cover the sheet that has just come up
    if (matchMedia('(min-width: 768px)').matches) setFocus('title')
  }, [setFocus])

  return (
    <>
      <Field label="Title" error={error('title')}>
        {(control) => (
          <input className="input" maxLength={200} autoComplete="off" {...control} {...register('title')} />
        )}
      </Field>
      <Field label="Description" note="optional" error={error('description')}>
        {(control) => <textarea className="input" maxLength={10_000} {...control} {...register('description')} />}
      </Field>
      <AddProductAnalysis form={form} />
      <div className="formgrid">
        <Field label="Price" note="USD" error={error('price')}>
          {(control) => (
            <div className="affix affix--sign">
              <span className="affix__sign" aria-hidden>
                $
              </span>
              <input
                className="input num"
                type="number"
                inputMode="decimal"
                min="0.01"
                step="0.01"
                autoComplete="off"
                {...control}
                {...register('price')}
              />
            </div>
          )}
        </Field>
        <Field label="Category" error={error('categoryId')}>
          {(control) => (
            <Select
              placeholder="Choose one"
              options={categories.map(({ id, name }) => ({ value: id, label: name }))}
              {...control}
              {...register('categoryId')}
            />
          )}
        </Field>
      </div>
    </>
  )
}
