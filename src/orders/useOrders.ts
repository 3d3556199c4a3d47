import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { query } from '../kit/query.client.ts'
import { getOrder } from './orders.contract.ts'
import { orderSumsQuery, ordersQuery } from './orders.query.client.ts'

/** The customer's newest orders, as many as were asked for; `total` counts them all. */
export function useOrders() {
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(ordersQuery)
  const orders = data?.pages.flatMap(({ items }) => items) ?? []
  return {
    orders,
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

/** One order by its id, for a page whose list may not reach to it. */
export const useOrder = (id: string, isWanted: boolean) => useQuery({ ...query(getOrder, { id }), enabled: isWanted })

/** How many orders there are and what they come to, as the server adds them up. */
export function useOrderSums() {
  const { data, isPending, isError, isFetching, refetch } = useQuery(orderSumsQuery)
  return { sums: data, isPending, hasError: isError && !data, isFetching, refetch: () => void refetch() }
}
