import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSession } from '../../identity/sessions/useSession.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { EMPTY, resolver } from './addProduct.rules.ts'
import { AddProductFields } from './AddProductFields.tsx'
import { AddProductUploads } from './AddProductUploads.tsx'
import { dropDraft, keepDraft, NOTHING, readDraft } from './draft.client.ts'
import { type Uploads, useAddProduct } from './useAddProduct.ts'

/** The uploads and their previews survive the closing of the dialog. */
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
    // last, because the reset of the form above keeps a draft with the uploads that are used by now
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
