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

export const useWishlist = () => useQuery(wishlist)

export async function save(product: Product) {
  if (!(await put({ ...product, savedAt: new Date().toISOString() }, true))) return
  const view = () => navigate('/wishlist')
  toast({ title: 'Saved', action: { label: 'View', hint: 'You’ll find your wishlist on your profile', run: view } })
}

export async function unsave(product: Saved) {
  if (!(await put(product, false))) return
  toast({
    title: 'Removed from your wishlist',
    action: { label: 'Undo', hint: 'Save the product again to undo', run: () => void put(product, true) },
  })
}

async function put(product: Saved, isSaved: boolean): Promise<boolean> {
  const { queryKey } = wishlist
  const show = (isIn: boolean) =>
    queryClient.setQueryData<Saved[]>(queryKey, (list) => list && (isIn ? putBack : takeOut)(list, product))
  // an earlier read would restore the list without this change
  await queryClient.cancelQueries({ queryKey })
  show(isSaved)
  try {
    await inOrder('wishlist', () => call(isSaved ? saveProduct : unsaveProduct, { id: product.id }))
    // without a cached list, nothing changed on screen
    if (!queryClient.getQueryData(queryKey)) void queryClient.invalidateQueries({ queryKey })
    return true
  } catch (error) {
    show(!isSaved)
    toastFailure(error, reasonOf(error, isConflict) ?? 'Failed to update your wishlist.')
    return false
  }
}
