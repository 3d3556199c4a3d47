import { useEffect } from 'react'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { AddProductAnalysis } from './AddProductAnalysis.tsx'
import type { AddProductForm, AddProductValues } from './addProduct.rules.ts'
import { PriceField } from './PriceField.tsx'
import { useCategories } from '../useCatalogue.ts'

export function AddProductFields({ form }: { form: AddProductForm }) {
  const { data: categories = [] } = useCategories()
  const { register, setFocus, formState, getValues, setValue } = form
  const error = (name: keyof AddProductValues) => formState.errors[name]?.message

  useEffect(() => {
    // on a phone the keyboard would cover the sheet
    if (matchMedia('(min-width: 768px)').matches) setFocus('title')
  }, [setFocus])

  useEffect(() => {
    // the select can show a restored category only once it has options
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
