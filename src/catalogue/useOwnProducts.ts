import { useInfiniteQuery } from '@tanstack/react-query'
import { readList } from '../kit/list.client.ts'
import { keyOf } from '../kit/query.client.ts'
import { listOwnProducts } from './ownProducts.contract.ts'

/** Products per page. */
export const STEP = 24

/** The member's own products, newest first; `total` counts them all. */
export function useOwnProducts() {
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: keyOf(listOwnProducts, { limit: STEP }),
      queryFn: ({ pageParam, signal }) =>
        readList(listOwnProducts, { limit: STEP, after: pageParam ?? undefined }, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ after }) => after,
      // another window may have added a product or its file
      refetchOnMount: 'always',
    })
  return {
    products: data?.pages.flatMap(({ items }) => items) ?? [],
    total: data?.pages.at(-1)?.total ?? 0,
    isPending,
    hasError: isError && !data,
    isFetching,
    refetch: () => void refetch(),
    isReadingMore: isFetchingNextPage,
    /** Loads the next page; null on the last. Rejects with the Failure. */
    readMore: hasNextPage ? () => fetchNextPage({ throwOnError: true }) : null,
  }
}
