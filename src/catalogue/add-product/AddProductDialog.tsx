import { useRef, useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import type { KindName } from '../kinds.rules.ts'
import { DollarField } from '../price/DollarField.tsx'
import { priceProblem, readPrice, stepPrice } from '../price.rules.ts'
import { useCategories } from '../useCatalogue.ts'
import { type AddProductValues, EMPTY, isEachADraft, takesFile } from './addProduct.rules.ts'
import { AddProductAnalysis } from './AddProductAnalysis.tsx'
import { AddProductUploads } from './AddProductUploads.tsx'
import { draftOf, dropDraft, enteredOf, keepDraft, NOTHING, readDraft } from './draft.client.ts'
import { KindChoice } from './KindChoice.tsx'
import { ManyFiles } from './ManyFiles.tsx'
import { forgetUnfinished, saveNow, saveSoon } from './unfinished.client.ts'
import type { Unfinished } from './unfinished.contract.ts'
import type { AllUploads } from './useAddProduct.ts'
import { type AddProductForm, useAddProductForm } from './useAddProductForm.ts'
import { useCreateProduct } from './useCreateProduct.ts'

/** The uploads of a draft and their previews survive the closing of the dialog. */
let kept: { id: string; uploads: AllUploads } | null = null

type AddProductDialogProps = {
  isOpen: boolean
  onClose: () => void
  /** The unfinished product that the seller continues. */
  unfinished?: Unfinished
}

export function AddProductDialog({ isOpen, onClose, unfinished }: AddProductDialogProps) {
  const userId = useSession().user?.id ?? ''
  const [draft] = useState(() => (unfinished ? draftOf(unfinished) : readDraft(userId)))
  const [id, setId] = useState(() => draft?.id ?? kept?.id ?? crypto.randomUUID())
  const [uploads, setUploads] = useState(() => (kept?.id === id ? kept.uploads : (draft?.uploads ?? NOTHING)))
  // several uploads can end before the next render
  const latest = useRef(uploads)
  const [isRestored, setRestored] = useState(draft !== null)
  const [isEach, setEach] = useState(false)
  const count = uploads.more.length + (uploads.file ? 1 : 0)
  const create = useCreateProduct({
    onAdded: () => {
      reset()
      onClose()
    },
    onLeft: (more) => keepUploads({ ...latest.current, file: null, more }),
  })
  const store = (values: AddProductValues) => {
    const entered = { values, uploads: latest.current }
    if (keepDraft(userId, { id, ...entered })) saveSoon(id, enteredOf(entered))
  }
  const form = useAddProductForm({
    draft: draft?.values,
    isNamedByFile: (values) => isEachADraft({ isEach, more: uploads.more, ...values }),
    storeDraft: store,
    save: (values) =>
      create({ id, values, uploads, isEachADraft: isEachADraft({ isEach, more: uploads.more, ...values }) }),
  })
  const isEachDraft = isEachADraft({ isEach, more: uploads.more, ...form.values })
  const keepUploads = (next: AllUploads) => {
    kept = { id, uploads: next }
    latest.current = next
    setUploads(next)
    store(form.readValues())
  }
  const reset = () => {
    if (uploads.image?.previewUrl) URL.revokeObjectURL(uploads.image.previewUrl)
    kept = null
    latest.current = NOTHING
    setUploads(NOTHING)
    setEach(false)
    form.restart(EMPTY)
    // last, because the reset of the form above stores a draft
    dropDraft()
    setId(crypto.randomUUID())
    setRestored(false)
  }
  const clear = () => {
    void forgetUnfinished(id)
    reset()
  }
  const close = () => {
    void saveNow()
    onClose()
  }

  return (
    <Dialog isOpen={isOpen} onClose={close} title="Add Product">
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
          <KindChoice value={form.values.delivery} onChange={(delivery) => form.put({ delivery })} />
          <AddProductFields form={form} />
          <AddProductUploads
            uploads={uploads}
            onChange={({ image, file }) => keepUploads({ ...latest.current, image, file })}
          />
          <GoodsHint kind={form.values.delivery} hasFiles={count > 0} />
          {takesFile(form.values.delivery) && (
            <ManyFiles
              files={uploads.more}
              others={uploads.file ? 1 : 0}
              isEachADraft={isEachDraft}
              onAdd={(file) => keepUploads({ ...latest.current, more: [...latest.current.more, file] })}
              onRemove={(url) =>
                keepUploads({ ...latest.current, more: latest.current.more.filter((one) => one.url !== url) })
              }
              onChoose={setEach}
            />
          )}
          {isEachDraft && uploads.image && (
            <p className="small muted" role="status">
              The drafts do not get the image above. Add one to each.
            </p>
          )}
        </DialogBody>
        <DialogFoot onCancel={close}>
          <Button tone="primary" type="submit" isBusy={form.isBusy}>
            {form.isBusy ? 'Creating...' : isEachDraft ? `Create ${plural(count, 'draft')}` : 'Create Product'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

const HINTS: Record<KindName, string | null> = {
  file: null,
  license: 'A digital file is optional here: the software, which buyers download beside their key.',
  code: 'You add the codes on the next page.',
  course: 'You add the lessons on the next page.',
  bundle: 'You choose its products on the next page.',
}

function GoodsHint({ kind, hasFiles }: { kind: KindName | ''; hasFiles: boolean }) {
  const hint = kind === '' ? null : HINTS[kind]
  if (!hint) return null
  return (
    <p className="small muted" role="status">
      {hint}
      {hasFiles && !takesFile(kind) && ' It does not sell the digital file above.'}
    </p>
  )
}

function AddProductFields({ form }: { form: AddProductForm }) {
  const { data: categories = [] } = useCategories()
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
