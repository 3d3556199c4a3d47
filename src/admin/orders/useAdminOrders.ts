import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { readList } from '../../kit/query/list.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import type { OrderStatus } from '../../orders/orders.contract.ts'
import { findOrders, readOrderFile } from './adminOrders.contract.ts'

const PAGE = { limit: 25 }
/** How often an order with a pending refund is refetched, in milliseconds. */
const LOOK_EVERY = 1500

/** All orders that match, newest first, page by page. */
export function useFoundOrders(q: string, status: OrderStatus | undefined) {
  const asked = { ...PAGE, q: q || undefined, status }
  const { data, ...rest } = useInfiniteQuery({
    queryKey: keyOf(findOrders, asked),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      readList(findOrders, { ...asked, after: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ after }) => after,
    refetchOnMount: 'always',
  })
  return { orders: data?.pages.flatMap(({ items }) => items), ...rest }
}

/** One order; refetched while a refund is pending. */
export const useOrderFile = (id: string) =>
  useQuery({
    ...query(readOrderFile, { id }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.refunds.some((refund) => refund.status === 'requested') ? LOOK_EVERY : false,
  })
