import type { Product } from '../../catalogue/catalogue.contract.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { featuredOptions, MAX_CHOICES, NONE } from './editor.rules.ts'
import type { PageForm } from './usePageForm.ts'

type Choice = Pick<Product, 'id' | 'title'>
type FeaturedFieldProps = { form: PageForm; products: Choice[]; featured: Choice | null }

/** Chooses among the products on sale. */
export function FeaturedField({ form, products, featured }: FeaturedFieldProps) {
  const { featuredId } = form.values
  return (
    <Field
      label="Product"
      hint={products.length < MAX_CHOICES ? undefined : `Your newest ${MAX_CHOICES} products on sale`}
      error={form.errorOf('featuredId')}
    >
      {(control) => (
        <Select
          {...control}
          options={featuredOptions(products, featuredId, featured)}
          value={featuredId ?? NONE}
          onChange={({ target }) => form.put({ featuredId: target.value === NONE ? null : target.value })}
        />
      )}
    </Field>
  )
}
