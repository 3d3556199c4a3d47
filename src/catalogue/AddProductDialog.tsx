import { useEffect, useState } from 'react'
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { AddProductFields } from './AddProductFields.tsx'
import { AddProductUploads } from './AddProductUploads.tsx'
import { NewProduct } from './newProduct.contract.ts'
import { type Uploads, useAddProduct } from './useAddProduct.ts'

export type AddProductValues = { title: string; description: string; price: string; categoryId: string }

const EMPTY: AddProductValues = { title: '', description: '', price: '', categoryId: '' }
const NOTHING: Uploads = { image: null, file: null }

/** What was typed and uploaded, kept when the dialog is closed or the page is left, until the product is created. */
let draft = { values: EMPTY, uploads: NOTHING }

/** The same rules as the server's: one message a field, the first that applies. */
const resolver: Resolver<AddProductValues, unknown, NewProduct> = (values) => {
  const read = NewProduct.safeParse({ ...values, price: values.price.replace(/^\./, '0.') })
  if (read.success) return { values: read.data, errors: {} }
  const errors: FieldErrors<AddProductValues> = {}
  for (const { path, message } of read.error.issues)
    errors[path[0] as keyof AddProductValues] ??= { type: 'invalid', message }
  return { values: {}, errors }
}

/** The form that puts a product into the shop. */
export function AddProductDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [uploads, setUploads] = useState(draft.uploads)
  const form = useForm({ resolver, defaultValues: draft.values, reValidateMode: 'onChange' })
  const { reset, getValues, handleSubmit } = form

  useEffect(() => () => void (draft.values = getValues()), [getValues])
  const keepUploads = (next: Uploads) => {
    draft.uploads = next
    setUploads(next)
  }

  const add = useAddProduct({
    onAdded: () => {
      if (uploads.image?.previewUrl) URL.revokeObjectURL(uploads.image.previewUrl)
      draft = { values: EMPTY, uploads: NOTHING }
      setUploads(NOTHING)
      reset(EMPTY)
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
