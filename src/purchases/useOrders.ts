import { useQuery } from '@tanstack/react-query'
import { query } from '../kit/query/query.client.ts'
import { useList } from '../kit/query/useList.ts'
import { getOrder } from './orders.contract.ts'
import { orderSumsQuery, ordersQuery, waitingQuery } from './orders.query.client.ts'

export function useOrders() {
  const { items: orders, ...list } = useList(ordersQuery)
  return { orders, ...list }
}

export const useWaitingOrders = () => useList(waitingQuery)

export const useOrder = (id: string, isWanted: boolean) => useQuery({ ...query(getOrder, { id }), enabled: isWanted })

export function useOrderSums() {
  const { data, isPending, isError, refetch } = useQuery(orderSumsQuery)
  return { sums: data, isPending, hasError: isError && !data, refetch: () => void refetch() }
}
