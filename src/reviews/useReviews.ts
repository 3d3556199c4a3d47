import { useQuery } from '@tanstack/react-query'
import { pagesOf } from '../kit/query/list.client.ts'
import { query } from '../kit/query/query.client.ts'
import { useAlways } from '../kit/query/useAlways.ts'
import { listPurchases, listReviews } from './reviews.contract.ts'

export const REVIEWS_PER_PAGE = 5

export const listOf = (productId: string) => pagesOf(listReviews, { id: productId, limit: REVIEWS_PER_PAGE })

export function usePurchases(productId: string) {
  const { data, isPending, isFetching, refetch } = useQuery({
    ...query(listPurchases, { id: productId }),
    refetchOnMount: useAlways(),
  })
  return { purchases: data ?? [], isPending, isFetching, refetch }
}
