import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { priceProblem, readPrice, stepPrice } from '../price.rules.ts'
import { useCategories } from '../useCatalogue.ts'
import { type AddProductForm, type AddProductValues, EMPTY, resolver } from './addProduct.rules.ts'
import { AddProductAnalysis } from './AddProductAnalysis.tsx'
import { AddProductUploads } from './AddProductUploads.tsx'
import { dropDraft, keepDraft, NOTHING, readDraft } from './draft.client.ts'
import { type Uploads, useAddProduct } from './useAddProduct.ts'

/** Uploads and previews stay in memory after the dialog closes. */
let kept = NOTHING

export function AddProductDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const userId = useSession().user?.id ?? ''
  const [draft] = useState(() => readDraft(userId))
  const [uploads, setUploads] = useState(() => (kept === NOTHING ? (draft?.uploads ?? NOTHING) : kept))
  const [isRestored, setRestored] = useState(draft !== null)
  const form = useForm({ resolver, defaultValues: draft?.values ?? EMPTY, reValidateMode: 'onChange' })
  const { reset, subscribe, handleSubmit, getValues } = form

  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => keepDraft(userId, { values, uploads }) }),
    [subscribe, userId, uploads],
  )
  const keepUploads = (next: Uploads) => {
    kept = next
    setUploads(next)
    keepDraft(userId, { values: getValues(), uploads: next })
  }
  const clear = () => {
    if (uploads.image?.previewUrl) URL.revokeObjectURL(uploads.image.previewUrl)
    kept = NOTHING
    setUploads(NOTHING)
    reset(EMPTY)
    // last, because the form reset above stores a draft with the uploads that the product now owns
    dropDraft()
    setRestored(false)
  }

  const add = useAddProduct({
    onAdded: () => {
      clear()
      onClose()
    },
  })
  const submit = handleSubmit((values) => add.mutate({ form: values, uploads }))

  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add Product">
      <form
        className="dialog__form"
        onSubmit={(event) => void (add.isPending ? event.preventDefault() : submit(event))}
        noValidate
      >
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
          <Button tone="primary" type="submit" isBusy={add.isPending}>
            {add.isPending ? 'Creating...' : 'Create Product'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function AddProductFields({ form }: { form: AddProductForm }) {
  const { data: categories = [] } = useCategories()
  const { register, setFocus, formState, getValues, setValue } = form
  const error = (name: keyof AddProductValues) => formState.errors[name]?.message

  useEffect(() => {
    // on a phone, the focus would open the keyboard over the sheet
    if (matchMedia('(min-width: 768px)').matches) setFocus('title')
  }, [setFocus])

  useEffect(() => {
    // the select can show a restored category only after its options have loaded
    setValue('categoryId', getValues('categoryId'))
  }, [categories, getValues, setValue])

  return (
    <>
      <Field label="Title" error={error('title')}>
        {(control) => <input className="input" autoComplete="off" {...control} {...register('title')} />}
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

type PriceFieldProps = { form: AddProductForm; error: string | undefined }

/**
 * The price in USD. A text field, because a number field of an English browser reads '12,50' as 1250. Formats the price
 * on blur; the arrow keys change it by a cent.
 */
function PriceField({ form, error }: PriceFieldProps) {
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
