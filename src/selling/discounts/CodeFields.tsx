import { priceText, usd } from '../../localisation/usd.rules.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Select } from '../../ui/form/Select.tsx'
import type { OwnProduct } from '../selling.contract.ts'
import { cutOf, lineOf, type Typed } from './ownDiscount.rules.ts'
import type { CodeForm } from './useCodeForm.ts'

const KINDS = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
] as const
const GOODS = [
  { value: 'all', label: 'All products' },
  { value: 'chosen', label: 'Chosen products' },
]

type FieldsProps = { form: CodeForm }

const typing = { autoComplete: 'off', maxLength: 20 }

export const CodeField = ({ form }: FieldsProps) => (
  <Field label="Code" hint="4 to 20 letters and digits, in any case." error={form.errorOf('code')}>
    {(control) => (
      <input {...typing} {...control} {...form.field('code')} className="input mono" autoCapitalize="characters" />
    )}
  </Field>
)

/** The discount of the code, with the reduced price of a product as an example. */
export function OffFields({ form, product }: FieldsProps & { product: OwnProduct | undefined }) {
  const { off } = form.values
  const sample = sampleOf(product, form.values)
  return (
    <div className="formgrid">
      <div className="field">
        <strong className="text-14" aria-hidden>
          Takes off
        </strong>
        <Segment
          label="Takes off"
          options={[...KINDS]}
          value={off.kind}
          onChange={(kind) => form.put({ off: { ...off, kind } })}
        />
      </div>
      {off.kind === 'percent' ? (
        <Field key="percent" label="Percent" hint={sample} error={form.errorOf('off.percent')}>
          {(control) => (
            <input {...typing} {...control} {...form.field('off.percent')} className="input num" inputMode="numeric" />
          )}
        </Field>
      ) : (
        <Field key="amount" label="Amount" note="USD, off an order" hint={sample} error={form.errorOf('off.amount')}>
          {(control) => (
            <input {...typing} {...control} {...form.field('off.amount')} className="input num" inputMode="decimal" />
          )}
        </Field>
      )}
    </div>
  )
}

export const GoodsFields = ({ form: { saved, values, products, put, errorOf, refOf } }: FieldsProps) => (
  <>
    <Field label="For" error={errorOf('productIds')}>
      {(control) => (
        <Select
          {...control}
          ref={refOf('productIds')}
          options={GOODS}
          value={values.productIds ? 'chosen' : 'all'}
          onChange={({ target }) => put({ productIds: target.value === 'all' ? null : [] })}
        />
      )}
    </Field>
    {values.productIds && (
      <ChosenProducts
        chosen={values.productIds}
        products={[...(saved?.products ?? []), ...products]}
        onChange={(productIds) => put({ productIds })}
      />
    )}
  </>
)

type ChosenProductsProps = {
  chosen: string[]
  /** Also contains chosen products that are not among the first 200. */
  products: { id: string; title: string }[]
  onChange: (ids: string[]) => void
}

const ChosenProducts = ({ chosen, products, onChange }: ChosenProductsProps) => (
  <fieldset>
    <legend className="sr">Chosen products</legend>
    {[...new Map(products.map(({ id, title }) => [id, title]))].map(([id, title]) => (
      <label key={id} className="check wrap-anywhere">
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={({ target }) => {
            const others = chosen.filter((one) => one !== id)
            onChange((target.checked ? [...others, id] : others).toSorted())
          }}
        />
        {title}
      </label>
    ))}
  </fieldset>
)

export const LimitFields = ({ form }: FieldsProps) => (
  <div className="formgrid">
    <Field label="Times in all" hint="Empty: no limit" error={form.errorOf('mostUses')}>
      {(control) => (
        <input {...typing} {...control} {...form.field('mostUses')} className="input num" inputMode="numeric" />
      )}
    </Field>
    <Field label="Times a buyer" hint="Empty: no limit" error={form.errorOf('mostPerBuyer')}>
      {(control) => (
        <input {...typing} {...control} {...form.field('mostPerBuyer')} className="input num" inputMode="numeric" />
      )}
    </Field>
  </div>
)

export const DayFields = ({ form }: FieldsProps) => (
  <div className="formgrid">
    <Field label="First day" hint="Empty: from now on">
      {(control) => <input {...control} {...form.field('firstDay')} className="input num" type="date" />}
    </Field>
    <Field label="Last day" hint="Empty: no end" error={form.errorOf('lastDay')}>
      {(control) => <input {...control} {...form.field('lastDay')} className="input num" type="date" />}
    </Field>
  </div>
)

/** 'Night Trains: $8.50 to $6.80' */
function sampleOf(product: OwnProduct | undefined, typed: Typed): string {
  if (!product) return ''
  const line = lineOf(product)
  const cut = cutOf([line], typed)
  if (cut === null) return ''
  const left = line.cents - cut
  const why = left > 0 && left === line.leastCents ? `. ${product.suggested ? 'Your minimum' : 'A cent'} stays` : ''
  return `${product.title}: ${usd(line.cents)} to ${priceText(left)}${why}`
}
