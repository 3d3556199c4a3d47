import { useEffect, useState } from 'react'
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { AddProductFields } from './AddProductFields.tsx'
import { AddProductUploads } from './AddProductUploads.tsx'
import { dropDraft, keepDraft, readDraft } from './draft.client.ts'
import { NewProduct } from './newProduct.contract.ts'
import { readPrice } from '../price.rules.ts'
import { type Uploads, useAddProduct } from './useAddProduct.ts'

export type AddProductValues = { title: string; description: string; price: string; categoryId: string }

const EMPTY: AddProductValues = { title: '', description: '', price: '', categoryId: '' }
const NOTHING: Uploads = { image: null, file: null }

/** What was uploaded, with its previews, kept when the dialog is closed until the product is created. */
let kept = NOTHING

/** The same rules as the server's: one message a field, the first that applies. */
const resolver: Resolver<AddProductValues, unknown, NewProduct> = (values) => {
  const read = NewProduct.safeParse({ ...values, price: readPrice(values.price) })
  if (read.success) return { values: read.data, errors: {} }
  const errors: FieldErrors<AddProductValues> = {}
  for (const { path, message } of read.error.issues)
    errors[path[0] as keyof AddProductValues] ??= { type: 'invalid', message }
  return { values: {}, errors }
}

/** The form that puts a product into the shop. */
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
    // last: emptying the form keeps a draft of what is still drawn, uploads that are used by now among it
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
        <DialogFoot>
          <Button tone="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" isBusy={add.isPending}>
            {add.isPending ? 'Creating...' : 'Create Product'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
