import { useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../kit/call.client.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import { createProduct, getProduct, type ProductDetail, setProductFiles } from '../catalogue.contract.ts'
import type { NewProduct } from './newProduct.contract.ts'

/** The list of own products. Its contract is in another room. */
const OWN = ['/api/account/products']

export type Uploads = { image: Uploaded | null; file: Uploaded | null }

/** `isRefused`: a retry with the same files fails again. */
type Added = { product: ProductDetail; problem: string | null; isRefused?: boolean }

/** Invalidates all catalogue queries except this product, which the cache gets from the reply. */
export function useFreshProduct() {
  const cache = useQueryClient()
  return (product: ProductDetail) => {
    cache.setQueryData(keyOf(getProduct, { id: product.id }), product)
    void cache.invalidateQueries({
      queryKey: ['/api/products'],
      predicate: ({ queryKey }) => queryKey[1] !== product.id,
    })
    void cache.invalidateQueries({ queryKey: ['/api/categories'] })
    void cache.invalidateQueries({ queryKey: OWN })
    // the first product makes the member a seller
    void cache.invalidateQueries({ queryKey: keyOf(getCurrentUser, {}) })
  }
}

/** Creates a product and binds its uploads. If binding fails, the product stays and the seller gets a message. */
export function useAddProduct({ onAdded }: { onAdded: () => void }) {
  const refresh = useFreshProduct()
  return async (form: NewProduct, uploads: Uploads) => {
    const { product, problem, isRefused } = await addFiles(await call(createProduct, form), uploads)
    refresh(product)
    onAdded()
    const retry = async () => {
      const again = await addFiles(product, uploads)
      refresh(again.product)
      toast({ title: again.problem ?? 'Files added.', tone: again.problem ? 'bad' : 'good' })
    }
    toast({
      title: 'Success',
      description: ['Product created successfully!', problem ?? whatIsMissing(product)].filter(Boolean).join(' '),
      action:
        problem && !isRefused
          ? { label: 'Try again', hint: 'Add the files to the product again', run: () => void retry() }
          : {
              label: isRefused
                ? 'Choose another'
                : product.isFileMissing
                  ? 'Add file'
                  : product.isOutOfStock
                    ? isCourse(product)
                      ? 'Add lessons'
                      : 'Add codes'
                    : 'View',
              hint: 'Open the page of the product; My Products on your profile leads there too',
              run: () => navigate(product.isOutOfStock ? `/my-products/${product.id}` : `/product/${product.id}`),
            },
    })
  }
}

const isCourse = ({ unlistedReason }: ProductDetail) => unlistedReason?.includes('lesson')

function whatIsMissing(product: ProductDetail): string | null {
  const { isFileMissing, isOutOfStock } = product
  if (isOutOfStock && isCourse(product)) return 'Add a lesson to put it on sale. It’s in My Products.'
  if (isOutOfStock) return 'Add codes to put it on sale. It’s in My Products.'
  return isFileMissing ? 'Add a digital file to put it on sale. It’s in My Products.' : null
}

/** Binds both uploads. If the server rejects them together, retries with the file alone. */
export async function addFiles(product: ProductDetail, { image, file }: Uploads): Promise<Added> {
  if (!image && !file) return { product, problem: null }
  const bind = (urls: { imageURL?: string; digitalFileURL?: string }) =>
    call(setProductFiles, { id: product.id, ...urls })
  const urls = { ...(image && { imageURL: image.url }), ...(file && { digitalFileURL: file.url }) }
  try {
    return { product: await bind(urls), problem: null }
  } catch (error) {
    // the specification requires this log
    // oxlint-disable-next-line no-console
    console.warn('the files could not be added to the product', error)
    const reason = reasonOf(error) ?? 'the store didn’t respond.'
    const problem = `We couldn’t add the files: ${reason}`
    const isRefused = error instanceof Failure && [400, 413, 415].includes(error.status)
    if (!image || !file) return { product, problem, isRefused }
    const listed = await bind({ digitalFileURL: file.url }).catch(() => null)
    return listed
      ? { product: listed, problem: `We couldn’t add the image: ${reason}`, isRefused }
      : { product, problem, isRefused }
  }
}
