import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { AddProductAnalysis } from './AddProductAnalysis.tsx'
import type { AddProductValues } from './AddProductDialog.tsx'
import type { NewProduct } from './newProduct.contract.ts'
import { PriceField } from './PriceField.tsx'
import { useCategories } from '../useCatalogue.ts'

/** Title, description, price and category. */
export function AddProductFields({ form }: { form: UseFormReturn<AddProductValues, unknown, NewProduct> }) {
  const { data: categories = [] } = useCategories()
  const { register, setFocus, formState, getValues, setValue } = form
  const error = (name: keyof AddProductValues) => formState.errors[name]?.message

  useEffect(() => {
    // on a phone the keyboard would cover the sheet that has just come up
    if (matchMedia('(min-width: 768px)').matches) setFocus('title')
  }, [setFocus])

  useEffect(() => {
    // a category that was restored can be shown once there are categories to choose from
    setValue('categoryId', getValues('categoryId'))
  }, [categories, getValues, setValue])

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
        <PriceField form={form} error={error('price')} />
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
