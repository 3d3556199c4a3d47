import { useQuery } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { call } from '../kit/call.client.ts'
import { Failure } from '../kit/failure.ts'
import { query, queryClient } from '../kit/query.client.ts'
import { toast, toastFailure } from '../ui/toast.client.ts'
import type { Product } from './catalogue.contract.ts'
import { listSaved, type Saved, saveProduct, unsaveProduct } from './wishlist.contract.ts'
import { putBack, takeOut } from './wishlist.rules.ts'

const wishlist = query(listSaved, {})

/** The products the customer has saved, newest first. */
export const useWishlist = () => useQuery(wishlist)

// one after another, so that two quick presses end as the last one meant
let queue: Promise<unknown> = Promise.resolve()

/** Saves a product: shown at once, taken back when the shop refuses. */
export async function save(product: Product) {
  const saved = { ...product, savedAt: new Date().toISOString() }
  const isDone = await change(
    (list) => putBack(list, saved),
    (list) => takeOut(list, product.id),
    saveProduct,
    saved,
  )
  if (!isDone) return
  const view = () => navigate('/wishlist')
  toast({ title: 'Saved', action: { label: 'View', hint: 'You’ll find your wishlist on your profile', run: view } })
}

/** Takes a product out, with a way back. */
export async function unsave(product: Saved) {
  const isDone = await change(
    (list) => takeOut(list, product.id),
    (list) => putBack(list, product),
    unsaveProduct,
    product,
  )
  if (!isDone) return
  const undo = () =>
    void change(
      (list) => putBack(list, product),
      (list) => takeOut(list, product.id),
      saveProduct,
      product,
    )
  toast({
    title: 'Removed from your wishlist',
    action: { label: 'Undo', hint: 'Save the product again to undo', run: undo },
  })
}

type Step = (list: Saved[]) => Saved[]

async function change(
  step: Step,
  back: Step,
  endpoint: typeof saveProduct | typeof unsaveProduct,
  { id }: { id: string },
): Promise<boolean> {
  const apply = (by: Step) =>
    queryClient.setQueryData<Saved[]>(wishlist.queryKey, (list) => (list ? by(list) : undefined))
  // a read that is under way would bring back the list from before
  await queryClient.cancelQueries({ queryKey: wishlist.queryKey })
  apply(step)
  const sent = queue.then(() => call(endpoint, { id }))
  queue = sent.catch(() => undefined)
  try {
    await sent
    // it could not be shown while the list was not here
    if (!queryClient.getQueryData(wishlist.queryKey))
      void queryClient.invalidateQueries({ queryKey: wishlist.queryKey })
    return true
  } catch (error) {
    apply(back)
    const reason = error instanceof Failure && error.status === 409 ? error.details?.message : undefined
    toastFailure(error, typeof reason === 'string' ? reason : 'Failed to update your wishlist.')
    return false
  }
}
