import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getProduct, type ProductDetail } from '../catalogue/catalogue.contract.ts'
import { call } from '../kit/call.client.ts'
import { type ListPage, pagesOf } from '../kit/query/list.client.ts'
import { keyOf, query } from '../kit/query/query.client.ts'
import { useList } from '../kit/query/useList.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { moveStars } from './rating.rules.ts'
import { deleteReview, listPurchases, listReviews, type Purchase, type Review, saveReview } from './reviews.contract.ts'

/** Reviews per page. */
export const SHOWN = 5

const listOf = (productId: string) => pagesOf(listReviews, { id: productId, limit: SHOWN })

export const useReviews = (productId: string) => useList(listOf(productId))

/** The member's purchases of a product, each with its review. Refetched on each visit. */
export const usePurchases = (productId: string) =>
  useQuery({ ...query(listPurchases, { id: productId }), refetchOnMount: 'always' }).data ?? []

/** Saves and deletes the member's reviews; the figures on the page follow at once. */
export function useOwnReview(productId: string) {
  const cache = useQueryClient()

  function show({ lineId, review: was }: Purchase, now: Review | null) {
    cache.setQueryData<Purchase[]>(keyOf(listPurchases, { id: productId }), (purchases) =>
      purchases?.map((purchase) => (purchase.lineId === lineId ? { ...purchase, review: now } : purchase)),
    )
    cache.setQueryData<ProductDetail>(
      keyOf(getProduct, { id: productId }),
      (product) => product && { ...product, rating: moveStars(product.rating, was?.stars ?? null, now?.stars ?? null) },
    )
    // the list has an old version of this review
    cache.setQueryData<InfiniteData<ListPage<Review[]>>>(
      listOf(productId).queryKey,
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => id !== was?.id) })),
        },
    )
  }

  /** True when it was saved. */
  async function save(purchase: Purchase, written: { stars: number; text: string }): Promise<boolean> {
    try {
      const { review } = await call(saveReview, { lineId: purchase.lineId, ...written })
      show(purchase, review)
      toast({ title: 'Thank you', description: 'Your review is on the page.' })
      return true
    } catch (error) {
      toastFailure(error, 'Failed to save your review. Please try again.')
      return false
    }
  }

  async function remove(purchase: Purchase) {
    const { lineId, review } = purchase
    if (!review) return
    show(purchase, null)
    try {
      await call(deleteReview, { lineId })
      const putBack = () => void save({ ...purchase, review: null }, { stars: review.stars, text: review.text })
      toast({
        title: 'Review deleted',
        action: { label: 'Undo', hint: 'Write the review again to undo', run: putBack },
      })
    } catch (error) {
      show({ ...purchase, review: null }, review)
      toastFailure(error, 'Failed to delete your review. Please try again.')
    }
  }
  return { save, remove }
}
