import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/call.client.ts'
import { Failure, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import { getProduct, type ProductDetail, setProductFiles } from '../catalogue.contract.ts'

/** The list of own products. Its contract is in another room. */
const OWN = ['/api/account/products']

export type Uploads = { image: Uploaded | null; file: Uploaded | null }
/** `more`: files that were uploaded many at once. */
export type AllUploads = Uploads & { more: Uploaded[] }

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

/** Binds both uploads. If the server rejects them together, retries with the file alone. */
export async function addFiles(product: ProductDetail, { image, file }: Uploads): Promise<Added> {
  if (!image && !file) return { product, problem: null }
  const bind = (urls: { imageURL?: string; digitalFileURL?: string }) =>
    call(setProductFiles, { id: product.id, ...urls })
  const urls = { ...(image && { imageURL: image.url }), ...(file && { digitalFileURL: file.url }) }
  try {
    return { product: await bind(urls), problem: null }
  } catch (error) {
    const { reason, problem, isRefused } = refusalOf(error)
    if (!image || !file) return { product, problem, isRefused }
    const listed = await bind({ digitalFileURL: file.url }).catch(() => null)
    return listed
      ? { product: listed, problem: `We couldn’t add the image: ${reason}`, isRefused }
      : { product, problem, isRefused }
  }
}

/** Binds the image and the file, then the other files one after another. Returns the first problem. */
export async function addUploads(created: ProductDetail, { more, ...uploads }: AllUploads): Promise<Added> {
  let added = await addFiles(created, uploads)
  for (const { url } of more)
    try {
      const product = await call(setProductFiles, { id: created.id, digitalFileURL: url, isAnother: true })
      added = { ...added, product }
    } catch (error) {
      const { problem, isRefused } = refusalOf(error)
      if (!added.problem) added = { product: added.product, problem, isRefused }
    }
  return added
}

function refusalOf(error: unknown) {
  // the specification requires this log
  // oxlint-disable-next-line no-console
  console.warn('the files could not be added to the product', error)
  const reason = reasonOf(error) ?? 'the store didn’t respond.'
  const isRefused = error instanceof Failure && [400, 413, 415].includes(error.status)
  return { reason, problem: `We couldn’t add the files: ${reason}`, isRefused }
}
