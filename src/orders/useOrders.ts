import { useQuery } from '@tanstack/react-query'
import { query } from '../kit/query.client.ts'
import { listOrders } from './orders.contract.ts'

export const ordersQuery = query(listOrders, {})

/** The customer's orders, newest first. */
export function useOrders() {
  const { data, isPending, isError, isFetching, refetch } = useQuery(ordersQuery)
  return {
    orders: data ?? [],
    isPending,
    hasError: isError && !data,
    isFetching,
    refetch: () => void refetch(),
  }
}
