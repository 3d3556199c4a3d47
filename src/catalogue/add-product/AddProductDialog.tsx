import { useEffect, useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { DollarField } from '../price/DollarField.tsx'
import { priceProblem, readPrice, stepPrice } from '../price.rules.ts'
import { useCategories } from '../useCatalogue.ts'
import { EMPTY, readProduct } from './addProduct.rules.ts'
import { AddProductAnalysis } from './AddProductAnalysis.tsx'
import { AddProductUploads } from './AddProductUploads.tsx'
import { dropDraft, keepDraft, NOTHING, readDraft } from './draft.client.ts'
import { type Uploads, useAddProduct } from './useAddProduct.ts'
import { type AddProductForm, useAddProductForm } from './useAddProductForm.ts'

/** The uploads and their previews survive the closing of the dialog. */
let kept = NOTHING

export function AddProductDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const userId = useSession().user?.id ?? ''
  const [draft] = useState(() => readDraft(userId))
  const [uploads, setUploads] = useState(() => (kept === NOTHING ? (draft?.uploads ?? NOTHING) : kept))
  const [isRestored, setRestored] = useState(draft !== null)
  const add = useAddProduct({
    onAdded: () => {
      clear()
      onClose()
    },
  })
  const form = useAddProductForm({
    draft: draft?.values,
    storeDraft: (values) => keepDraft(userId, { values, uploads }),
    save: (values) => add(readProduct(values), uploads),
  })
  const keepUploads = (next: Uploads) => {
    kept = next
    setUploads(next)
    keepDraft(userId, { values: form.readValues(), uploads: next })
  }
  const clear = () => {
    if (uploads.image?.previewUrl) URL.revokeObjectURL(uploads.image.previewUrl)
    kept = NOTHING
    setUploads(NOTHING)
    form.restart(EMPTY)
    // last, because the reset of the form above keeps a draft with the uploads that are used by now
    dropDraft()
    setRestored(false)
  }

  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add Product">
      <form className="dialog__form" onSubmit={form.submit} noValidate>
        <DialogBody>
          {isRestored && (
            <p className="row row--between small" role="status">
              <span>
                <b>Draft restored</b> We brought back what you entered.
              </span>
              <Button tone="quiet" onClick={clear}>
                Clear
              </Button>
            </p>
          )}
          <AddProductFields form={form} />
          <AddProductUploads uploads={uploads} onChange={keepUploads} />
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button tone="primary" type="submit" isBusy={form.isBusy}>
            {form.isBusy ? 'Creating...' : 'Create Product'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function AddProductFields({ form }: { form: AddProductForm }) {
  const { data: categories = [] } = useCategories()
  const { setFocus } = form

  useEffect(() => {
    // on a phone the keyboard would cover the sheet
    if (matchMedia('(min-width: 768px)').matches) setFocus('title')
  }, [setFocus])

  return (
    <>
      <Field label="Title" error={form.errorOf('title')}>
        {(control) => <input className="input" autoComplete="off" {...control} {...form.field('title')} />}
      </Field>
      <Field label="Description" note="optional" error={form.errorOf('description')}>
        {(control) => <textarea className="input" maxLength={10_000} {...control} {...form.field('description')} />}
      </Field>
      <AddProductAnalysis form={form} />
      <div className="formgrid">
        <PriceField form={form} />
        <Field label="Category" error={form.errorOf('categoryId')}>
          {(control) => (
            <Select
              placeholder="Choose one"
              options={categories.map(({ id, name }) => ({ value: id, label: name }))}
              {...control}
              {...form.field('categoryId')}
            />
          )}
        </Field>
      </div>
    </>
  )
}

/**
 * The price in USD. A text field, because a number field of an English browser reads '12,50' as 1250. Leaving the field
 * rewrites the price as understood; the arrow keys step by a cent.
 */
function PriceField({ form }: { form: AddProductForm }) {
  const field = form.field('price', {
    onBlur: () => {
      const price = readPrice(form.values.price)
      if (!priceProblem(price)) form.put({ price })
    },
  })
  return (
    <DollarField
      label="Price"
      error={form.errorOf('price')}
      type="text"
      step="0.01"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        form.put({ price: stepPrice(event.currentTarget.value, event.key === 'ArrowUp' ? 1 : -1) })
      }}
      {...field}
    />
  )
}
