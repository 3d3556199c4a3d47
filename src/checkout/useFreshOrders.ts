import { useQueryClient } from '@tanstack/react-query'
import { getCart } from '../cart/cart.contract.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { refreshOrders } from '../orders/orders.query.client.ts'
import { getCredit } from '../payments/credit.contract.ts'
import { listMethods } from '../payments/methods/methods.contract.ts'
import { listWallets } from '../payments/wallets.contract.ts'

/** Refetches cart, credit, saved methods and orders after money or goods moved. */
export function useFreshOrders() {
  const cache = useQueryClient()
  return async () => {
    // a product's page must not show a buyer the answer from before
    void cache.resetQueries({ predicate: ({ queryKey }) => queryKey[2] === 'purchases' })
    await Promise.all([
      cache.invalidateQueries({ queryKey: keyOf(getCart, {}) }),
      cache.invalidateQueries({ queryKey: keyOf(getCredit, {}) }),
      cache.invalidateQueries({ queryKey: keyOf(listMethods, {}) }),
      cache.invalidateQueries({ queryKey: keyOf(listWallets, {}) }),
      refreshOrders(cache),
    ])
  }
}
