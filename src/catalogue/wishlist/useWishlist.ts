import { useQuery } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { inOrder, query, queryClient } from '../../kit/query/query.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { Product } from '../catalogue.contract.ts'
import { listSaved, type Saved, saveProduct, unsaveProduct } from './wishlist.contract.ts'
import { putBack, takeOut } from './wishlist.rules.ts'

const wishlist = query(listSaved, {})

/** Saved products, newest first. */
export const useWishlist = () => useQuery(wishlist)

type Step = (list: Saved[]) => Saved[]
const adding = (product: Saved) => (list: Saved[]) => putBack(list, product)
const removing = (product: Saved) => (list: Saved[]) => takeOut(list, product.id)
const put = (product: Saved) => change(adding(product), removing(product), saveProduct, product)

/** Saves a product at once; a refusal rolls it back. */
export async function save(product: Product) {
  if (!(await put({ ...product, savedAt: new Date().toISOString() }))) return
  const view = () => navigate('/wishlist')
  toast({ title: 'Saved', action: { label: 'View', hint: 'You’ll find your wishlist on your profile', run: view } })
}

/** Removes a product and offers Undo. */
export async function unsave(product: Saved) {
  if (!(await change(removing(product), adding(product), unsaveProduct, product))) return
  toast({
    title: 'Removed from your wishlist',
    action: { label: 'Undo', hint: 'Save the product again to undo', run: () => void put(product) },
  })
}

async function change(
  step: Step,
  back: Step,
  endpoint: typeof saveProduct | typeof unsaveProduct,
  { id }: { id: string },
): Promise<boolean> {
  const apply = (by: Step) =>
    queryClient.setQueryData<Saved[]>(wishlist.queryKey, (list) => (list ? by(list) : undefined))
  // a read that started earlier would bring back the list without this change
  await queryClient.cancelQueries({ queryKey: wishlist.queryKey })
  apply(step)
  try {
    await inOrder('wishlist', () => call(endpoint, { id }))
    // without a list there was nothing to change on screen
    if (!queryClient.getQueryData(wishlist.queryKey))
      void queryClient.invalidateQueries({ queryKey: wishlist.queryKey })
    return true
  } catch (error) {
    apply(back)
    toastFailure(error, reasonOf(error, isConflict) ?? 'Failed to update your wishlist.')
    return false
  }
}
