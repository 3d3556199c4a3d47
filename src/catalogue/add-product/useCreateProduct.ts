import { navigate } from 'wouter/use-browser-location'
import { call } from '../../kit/call.client.ts'
import { reasonOf } from '../../kit/failure.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { awaitHeading } from '../../ui/PageHead.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { createProduct, getProduct, type ProductDetail } from '../catalogue.contract.ts'
import { type AddProductValues, readProduct, readProductOfFile, takesFile } from './addProduct.rules.ts'
import { createFileDraft } from './fileDraft.contract.ts'
import { addUploads, type AllUploads, useFreshProduct } from './useAddProduct.ts'

type CreateProductInput = {
  values: AddProductValues
  uploads: AllUploads
  /** Each file becomes a draft. Otherwise all files belong to one product. */
  isEachADraft: boolean
}

/** Creates a product with its uploads, or a draft of each file. Then closes the dialog and opens what is new. */
export function useCreateProduct({ onAdded }: { onAdded: () => void }) {
  const refresh = useFreshProduct()
  const show = (path: string) => {
    const isInDialog = (history.state as { dialogs?: number } | null)?.dialogs
    onAdded()
    // the seller closed the dialog and may be on another page
    if (!isInDialog) return
    awaitHeading()
    navigate(path, { replace: true })
  }
  return async ({ values, uploads, isEachADraft }: CreateProductInput) => {
    if (isEachADraft) {
      const { ids, refusals } = await createDrafts(values, uploads)
      const [first] = ids
      if (first === undefined) throw refusals[0]
      refresh(await call(getProduct, { id: first }))
      show(ids.length === 1 ? `/my-products/${first}` : '/my-products?status=draft')
      return toastDrafts(ids.length, refusals)
    }
    const { delivery } = values
    const created = await call(createProduct, { ...readProduct(values), ...(delivery !== '' && { delivery }) })
    const own = takesFile(delivery) ? uploads : { image: uploads.image, file: null, more: [] }
    const { product, problem, isRefused } = await addUploads(created, own)
    refresh(product)
    const isUnready = product.isOutOfStock || product.isFileMissing || problem !== null
    show(isUnready ? `/my-products/${product.id}` : `/product/${product.id}`)
    const retry = async () => {
      const again = await addUploads(product, own)
      refresh(again.product)
      toast({ title: again.problem ?? 'Files added.', tone: again.problem ? 'bad' : 'good' })
    }
    toast({
      title: 'Success',
      description: ['Product created successfully!', problem ?? whatIsMissing(product)].filter(Boolean).join(' '),
      ...(problem &&
        !isRefused && {
          action: { label: 'Try again', hint: 'Add the files to the product again', run: () => void retry() },
        }),
    })
  }
}

/** Makes a draft of each file, one after another, so that the limit of one call is that of one file. */
async function createDrafts(values: AddProductValues, { file, more }: AllUploads) {
  const { delivery } = values
  const [ids, refusals]: [string[], unknown[]] = [[], []]
  for (const { url, name } of file ? [file, ...more] : more)
    try {
      const terms = { ...(delivery === 'license' && { delivery }), digitalFileURL: url }
      const { id } = await call(createFileDraft, { ...readProductOfFile(values, name), ...terms })
      ids.push(id)
    } catch (error) {
      refusals.push(error)
    }
  return { ids, refusals }
}

function toastDrafts(count: number, refusals: unknown[]) {
  const lost = refusals.length
  toast({
    title: `${plural(count, 'draft')} saved`,
    description:
      lost > 0
        ? `${plural(lost, 'file')} could not be added: ${reasonOf(refusals[0]) ?? 'the store didn’t respond.'}`
        : 'Only you can see them. Put each on sale when it’s ready.',
    tone: lost > 0 ? 'bad' : 'good',
  })
}

function whatIsMissing({ isFileMissing, isOutOfStock, delivery }: ProductDetail): string | null {
  if (isOutOfStock && delivery === 'course') return 'Add a lesson to put it on sale.'
  if (isOutOfStock && delivery === 'bundle') return 'Choose its products to put it on sale.'
  if (isOutOfStock) return 'Add codes to put it on sale.'
  return isFileMissing ? 'Add a digital file to put it on sale.' : null
}
