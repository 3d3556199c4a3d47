import { useInfiniteQuery } from '@tanstack/react-query'
import { readList } from '../kit/list.client.ts'
import { keyOf } from '../kit/query.client.ts'
import { listOwnProducts } from './ownProducts.contract.ts'

/** How many products stand on the page at first, and how many more each press brings. */
export const STEP = 24

/** The products the customer sells, newest first, as many as were asked for; `total` counts them all. */
export function useOwnProducts() {
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: keyOf(listOwnProducts, { limit: STEP }),
      queryFn: ({ pageParam, signal }) =>
        readList(listOwnProducts, { limit: STEP, after: pageParam ?? undefined }, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ after }) => after,
      // a product can be added, and its file, in another window or on another device
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
    /** Reads the next page and ends when it is here; null when all are. It rejects with the Failure. */
    readMore: hasNextPage ? () => fetchNextPage({ throwOnError: true }) : null,
  }
}
