import type { QueryClient } from '@tanstack/react-query'
import { pagesOf } from '../kit/query/list.client.ts'
import { keyOf, query } from '../kit/query/query.client.ts'
import { listOrders, sumOrders } from './orders.contract.ts'

export const ordersQuery = pagesOf(listOrders, { limit: 50 })
export const waitingQuery = pagesOf(listOrders, { limit: 50, status: 'pending' })
export const orderSumsQuery = query(sumOrders, {})

export const refreshOrders = (cache: QueryClient) =>
  Promise.all([
    cache.invalidateQueries({ queryKey: keyOf(listOrders, {}) }),
    cache.invalidateQueries({ queryKey: orderSumsQuery.queryKey }),
  ])
