import { useQueryClient } from '@tanstack/react-query'
import { refreshOrders } from '../purchases/orders.query.client.ts'

/** Paths instead of contracts, because a page loads this file before it needs the contracts. */
const MOVED = new Set<unknown>(['/api/cart', '/api/credit', '/api/payments/methods', '/api/wallets'])

export function useFreshOrders() {
  const cache = useQueryClient()
  return async () => {
    // a product's page must not show the data from before the purchase
    void cache.resetQueries({ predicate: ({ queryKey }) => queryKey[2] === 'purchases' })
    await Promise.all([
      cache.invalidateQueries({ predicate: ({ queryKey }) => MOVED.has(queryKey[0]) }),
      refreshOrders(cache),
    ])
  }
}
