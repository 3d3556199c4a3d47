import { navigate } from 'wouter/use-browser-location'
import { call } from '../../kit/call.client.ts'
import { reasonOf } from '../../kit/failure.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { awaitHeading } from '../../ui/PageHead.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import { createProduct, type ProductDetail } from '../catalogue.contract.ts'
import { type AddProductValues, readProduct, readProductOfFile, takesFile } from './addProduct.rules.ts'
import { enteredOf, NOTHING } from './draft.client.ts'
import { createFileDraft } from './fileDraft.contract.ts'
import { forgetUnfinished, saveNow } from './unfinished.client.ts'
import { addUploads, type AllUploads, isLimit, useFreshProduct } from './useAddProduct.ts'

type CreateProductInput = {
  /** The unfinished product in the account. */
  id: string
  values: AddProductValues
  uploads: AllUploads
  /** Each file becomes a draft. Otherwise all files belong to one product. */
  isEachADraft: boolean
}

type CreateProductOptions = {
  onAdded: () => void
  /** Runs instead of `onAdded` if some files became drafts and these did not. */
  onLeft: (files: Uploaded[]) => void
}

/** Creates a product with its uploads, or a draft of each file. Then closes the dialog and opens what is new. */
export function useCreateProduct({ onAdded, onLeft }: CreateProductOptions) {
  const refresh = useFreshProduct()
  const show = (path: string) => {
    const isInDialog = (history.state as { dialogs?: number } | null)?.dialogs
    onAdded()
    // the seller closed the dialog and may be on another page
    if (!isInDialog) return
    awaitHeading()
    navigate(path, { replace: true })
  }
  return async ({ id, values, uploads, isEachADraft }: CreateProductInput) => {
    if (isEachADraft) {
      const { ids, left, problem } = await createDrafts(values, uploads)
      if (ids.length === 0) throw problem
      refresh()
      toastDrafts(ids.length, left, problem)
      if (left.length > 0) return onLeft(left)
      void forgetUnfinished(id)
      return show(ids.length === 1 ? `/my-products/${ids[0]}` : '/my-products?status=draft')
    }
    const { delivery } = values
    const own = takesFile(delivery) ? uploads : { ...NOTHING, image: uploads.image }
    const created = await call(createProduct, {
      ...readProduct(values),
      ...(delivery !== '' && { delivery }),
      // the product goes on sale only when buyers can get all files
      ...(own.more.length > 0 && { isDraft: true }),
    })
    const { product, problem, isRefused, left } = await addUploads(created, own)
    refresh(product)
    const isUnready = product.isOutOfStock || product.isFileMissing || problem !== null
    show(isUnready ? `/my-products/${product.id}` : `/product/${product.id}`)
    // last, because the closing of the dialog stores its values
    if (left.more.length > 0) void saveNow({ id, entered: enteredOf({ values, uploads: left }) })
    else void forgetUnfinished(id)
    const retry = async () => {
      const again = await addUploads(product, left)
      refresh(again.product)
      if (!again.problem) void forgetUnfinished(id)
      toast({ title: again.problem ?? 'Files added.', tone: again.problem ? 'bad' : 'good' })
    }
    const isDraft = own.more.length > 0 && !product.isActive
    toast({
      title: 'Success',
      description: [
        'Product created successfully!',
        problem ?? whatIsMissing(product),
        isDraft && 'It is a draft until you put it on sale.',
      ]
        .filter(Boolean)
        .join(' '),
      ...(problem &&
        !isRefused && {
          action: { label: 'Try again', hint: 'Add the files to the product again', run: () => void retry() },
        }),
    })
  }
}

/**
 * Makes a draft of each file, one after another. Each file is one call for the limits. `left` are the files without
 * a draft, `problem` is the error of the last attempt.
 */
export async function createDrafts(values: AddProductValues, { file, more }: AllUploads) {
  const { delivery } = values
  const [ids, left]: [string[], Uploaded[]] = [[], []]
  let problem: unknown
  for (const upload of file ? [file, ...more] : more) {
    if (isLimit(problem)) {
      left.push(upload)
      continue
    }
    try {
      const terms = { ...(delivery === 'license' && { delivery }), digitalFileURL: upload.url }
      const { id } = await call(createFileDraft, { ...readProductOfFile(values, upload.name), ...terms })
      ids.push(id)
    } catch (error) {
      problem = error
      left.push(upload)
    }
  }
  return { ids, left, problem }
}

function toastDrafts(count: number, left: Uploaded[], problem: unknown) {
  toast({
    title: `${plural(count, 'draft')} saved`,
    description:
      left.length > 0
        ? `${plural(left.length, 'file')} could not be added and stay here: ${reasonOf(problem) ?? 'the store didn’t respond.'}`
        : 'Only you can see them. Put each on sale when it’s ready.',
    tone: left.length > 0 ? 'bad' : 'good',
  })
}

function whatIsMissing({ isFileMissing, isOutOfStock, delivery }: ProductDetail): string | null {
  if (isOutOfStock && delivery === 'course') return 'Add a lesson to put it on sale.'
  if (isOutOfStock && delivery === 'bundle') return 'Choose its products to put it on sale.'
  if (isOutOfStock) return 'Add codes to put it on sale.'
  return isFileMissing ? 'Add a digital file to put it on sale.' : null
}
