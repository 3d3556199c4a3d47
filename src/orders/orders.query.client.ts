import type { QueryClient } from '@tanstack/react-query'
import { readList } from '../kit/list.client.ts'
import { keyOf, query } from '../kit/query.client.ts'
import { listOrders, sumOrders } from './orders.contract.ts'

/** How many orders are loaded at once. index.html asks for the first of them. */
const PAGE = { limit: 50 }

/** The customer's orders, newest first, page by page. */
export const ordersQuery = {
  queryKey: keyOf(listOrders, PAGE),
  queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    readList(listOrders, { ...PAGE, after: pageParam ?? undefined }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ after }: { after: string | null }) => after,
}

export const orderSumsQuery = query(sumOrders, {})

/** After money or goods moved: what is shown of orders is read anew. */
export const refreshOrders = (cache: QueryClient) =>
  Promise.all([
    cache.invalidateQueries({ queryKey: keyOf(listOrders, {}) }),
    cache.invalidateQueries({ queryKey: orderSumsQuery.queryKey }),
  ])
