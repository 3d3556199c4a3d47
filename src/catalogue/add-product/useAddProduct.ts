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
/** `more`: the files of Add many at once. */
export type AllUploads = Uploads & { more: Uploaded[] }

/**
 * `isRefused`: a retry with the same files fails again. `isOver`: further calls fail too for a while. `left`: the uploads
 * that the product does not have.
 */
type Added<U> = { product: ProductDetail; problem: string | null; isRefused?: boolean; isOver?: boolean; left: U }

const NONE: Uploads = { image: null, file: null }

/** Invalidates all catalogue queries except this product, which the cache gets from the reply. */
export function useFreshProduct() {
  const cache = useQueryClient()
  return (product?: ProductDetail) => {
    if (product) cache.setQueryData(keyOf(getProduct, { id: product.id }), product)
    void cache.invalidateQueries({
      queryKey: ['/api/products'],
      predicate: ({ queryKey }) => queryKey[1] !== product?.id,
    })
    void cache.invalidateQueries({ queryKey: ['/api/categories'] })
    void cache.invalidateQueries({ queryKey: OWN })
    // the first product makes the member a seller
    void cache.invalidateQueries({ queryKey: keyOf(getCurrentUser, {}) })
  }
}

/** Binds both uploads. If the server rejects them together, retries with the file alone. */
export async function addFiles(product: ProductDetail, { image, file }: Uploads): Promise<Added<Uploads>> {
  if (!image && !file) return { product, problem: null, left: NONE }
  const bind = (urls: { imageURL?: string; digitalFileURL?: string }) =>
    call(setProductFiles, { id: product.id, ...urls })
  const urls = { ...(image && { imageURL: image.url }), ...(file && { digitalFileURL: file.url }) }
  try {
    return { product: await bind(urls), problem: null, left: NONE }
  } catch (error) {
    const { reason, ...refusal } = refusalOf(error)
    const failed = { product, ...refusal, left: { image, file } }
    if (!image || !file) return failed
    const listed = await bind({ digitalFileURL: file.url }).catch(() => null)
    if (!listed) return failed
    const problem = `We couldn’t add the image: ${reason}`
    return { ...failed, product: listed, problem, left: { image, file: null } }
  }
}

/**
 * Binds the image and the file, then the other files one after another. The last of many puts a draft on sale, unless
 * one is left. Returns the first problem.
 */
export async function addUploads(created: ProductDetail, { more, ...uploads }: AllUploads): Promise<Added<AllUploads>> {
  const { left, ...first } = await addFiles(created, uploads)
  const files: Uploaded[] = left.file ? [left.file] : []
  let added: Omit<Added<AllUploads>, 'left'> = first
  for (const [i, upload] of more.entries()) {
    if (added.isOver) {
      files.push(upload)
      continue
    }
    const isComplete = i === more.length - 1 && files.length === 0
    const terms = { isAnother: true, ...(isComplete && !created.isActive && { putsOnSale: true }) }
    try {
      added.product = await call(setProductFiles, { id: created.id, digitalFileURL: upload.url, ...terms })
    } catch (error) {
      const { problem, isRefused, isOver } = refusalOf(error)
      added = added.problem ? { ...added, isOver } : { product: added.product, problem, isRefused, isOver }
      files.push(upload)
    }
  }
  return { ...added, left: { image: left.image, file: null, more: files } }
}

function refusalOf(error: unknown) {
  // the specification requires this log
  // oxlint-disable-next-line no-console
  console.warn('the files could not be added to the product', error)
  const reason = reasonOf(error) ?? 'the store didn’t respond.'
  const isRefused = error instanceof Failure && [400, 413, 415].includes(error.status)
  return { reason, problem: `We couldn’t add the files: ${reason}`, isRefused, isOver: isLimit(error) }
}

/** Returns true if the server refuses further calls for a while. */
export const isLimit = (error: unknown): boolean => error instanceof Failure && error.status === 429
