import type { Product } from '../../catalogue/catalogue.contract.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import type { PageForm } from './usePageForm.ts'

const NONE = 'none'

type FeaturedFieldProps = { form: PageForm; products: Pick<Product, 'id' | 'title'>[] }

/** Chooses among the products on sale. A chosen product that is off sale stays in the list. */
export function FeaturedField({ form, products }: FeaturedFieldProps) {
  const { featuredId } = form.values
  const isOffSale = featuredId !== null && !products.some(({ id }) => id === featuredId)
  const options = [
    { value: NONE, label: 'None' },
    ...(isOffSale ? [{ value: featuredId, label: 'A product that is off sale' }] : []),
    ...products.map(({ id, title }) => ({ value: id, label: title })),
  ]
  return (
    <Field label="Product" error={form.errorOf('featuredId')}>
      {(control) => (
        <Select
          {...control}
          options={options}
          value={featuredId ?? NONE}
          onChange={({ target }) => form.put({ featuredId: target.value === NONE ? null : target.value })}
        />
      )}
    </Field>
  )
}
